package io.cordwood.search;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** Writes an animated GIF: of each frame only the part that differs from the one before. Not thread-safe. */
final class TourPicture implements AutoCloseable {
    private static final String FORMAT = "javax_imageio_gif_image_1.0";

    private final ImageWriter writer;
    private final ImageOutputStream out;
    private BufferedImage last;

    TourPicture(Path file) throws IOException {
        Files.deleteIfExists(file);
        writer = ImageIO.getImageWritersByFormatName("gif").next();
        out = ImageIO.createImageOutputStream(file.toFile());
        writer.setOutput(out);
        writer.prepareWriteSequence(null);
    }

    /**
     * Adds a frame.
     *
     * @param png its pixels
     * @param hundredths how long it is shown, in hundredths of a second
     */
    void add(byte[] png, int hundredths) throws IOException {
        BufferedImage read = ImageIO.read(new ByteArrayInputStream(png));
        BufferedImage frame = new BufferedImage(read.getWidth(), read.getHeight(), BufferedImage.TYPE_INT_RGB);
        frame.createGraphics().drawImage(read, 0, 0, null);
        Rectangle part = last == null ? new Rectangle(frame.getWidth(), frame.getHeight()) : difference(last, frame);
        BufferedImage shown = frame.getSubimage(part.x, part.y, part.width, part.height);
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(shown), parameters);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(FORMAT);
        IIOMetadataNode place = child(root, "ImageDescriptor");
        place.setAttribute("imageLeftPosition", Integer.toString(part.x));
        place.setAttribute("imageTopPosition", Integer.toString(part.y));
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "doNotDispose");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("transparentColorIndex", "0");
        control.setAttribute("delayTime", Integer.toString(hundredths));
        if (last == null) {
            IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
            loop.setAttribute("applicationID", "NETSCAPE");
            loop.setAttribute("authenticationCode", "2.0");
            loop.setUserObject(new byte[] {1, 0, 0});
            child(root, "ApplicationExtensions").appendChild(loop);
        }
        metadata.setFromTree(FORMAT, root);
        writer.writeToSequence(new IIOImage(shown, null, metadata), parameters);
        last = frame;
    }

    private static IIOMetadataNode child(IIOMetadataNode root, String name) {
        for (int i = 0; i < root.getLength(); i++) {
            if (root.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) root.item(i);
            }
        }
        IIOMetadataNode added = new IIOMetadataNode(name);
        root.appendChild(added);
        return added;
    }

    /** The smallest rectangle outside of which both are equal; one pixel at least. */
    private static Rectangle difference(BufferedImage one, BufferedImage other) {
        Rectangle all = new Rectangle(-1, -1);
        int width = one.getWidth();
        int[] before = new int[width];
        int[] after = new int[width];
        for (int y = 0; y < one.getHeight(); y++) {
            one.getRGB(0, y, width, 1, before, 0, width);
            other.getRGB(0, y, width, 1, after, 0, width);
            int left = Arrays.mismatch(before, after);
            if (left >= 0) {
                int right = width - 1;
                while (before[right] == after[right]) {
                    right--;
                }
                all = all.union(new Rectangle(left, y, right - left + 1, 1));
            }
        }
        return all.width < 0 ? new Rectangle(1, 1) : all;
    }

    @Override
    public void close() throws IOException {
        writer.endWriteSequence();
        writer.dispose();
        out.close();
    }
}

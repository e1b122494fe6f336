package io.cordwood.logblock.index;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;

/** A read-only directory of the Lucene files in a LogBlock. Thread-safe. */
final class SegmentDirectory extends Directory {
    private final Map<String, LuceneFile> files;
    private final ColdRegion region;

    SegmentDirectory(Map<String, LuceneFile> files, ColdRegion region) {
        this.files = Map.copyOf(files);
        this.region = region;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
        LuceneFile file = file(name);
        return file.cold()
                ? new ColdIndexInput(region, file)
                : new ByteBuffersIndexInput(new ByteBuffersDataInput(List.of(ByteBuffer.wrap(file.head()))), name);
    }

    private LuceneFile file(String name) throws IOException {
        LuceneFile file = files.get(name);
        if (file == null) {
            throw new FileNotFoundException(name);
        }
        return file;
    }

    @Override
    public String[] listAll() {
        return files.keySet().stream().sorted().toArray(String[]::new);
    }

    @Override
    public long fileLength(String name) throws IOException {
        return file(name).length();
    }

    @Override
    public void deleteFile(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void sync(Collection<String> names) {}

    @Override
    public void syncMetaData() {}

    @Override
    public void rename(String source, String target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Lock obtainLock(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    @Override
    public Set<String> getPendingDeletions() {
        return Set.of();
    }
}

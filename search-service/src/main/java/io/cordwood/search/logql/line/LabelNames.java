package io.cordwood.search.logql.line;

/** Makes names of labels. Stateless. */
public final class LabelNames {
    private LabelNames() {}

    /** A name with {@code _} for each character that the name of a label cannot have. */
    public static String of(String name) {
        StringBuilder label = new StringBuilder(name.length() + 1);
        if (!name.isEmpty() && Character.isDigit(name.charAt(0))) {
            label.append('_');
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isAllowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            label.append(isAllowed ? c : '_');
        }
        return label.toString();
    }
}

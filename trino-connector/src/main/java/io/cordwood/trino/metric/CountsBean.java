package io.cordwood.trino.metric;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;

/**
 * A read-only MBean of counts, with an attribute for each.
 *
 * @param counts supplies the current counts by name
 */
record CountsBean(Supplier<Map<String, Long>> counts) implements DynamicMBean {
    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        return Optional.ofNullable(counts.get().get(name)).orElseThrow(() -> new AttributeNotFoundException(name));
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        Map<String, Long> now = counts.get();
        AttributeList attributes = new AttributeList();
        for (String name : names) {
            if (now.containsKey(name)) {
                attributes.add(new Attribute(name, now.get(name)));
            }
        }
        return attributes;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(attribute.getName() + " cannot be set");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature) {
        throw new UnsupportedOperationException(action);
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes = counts.get().keySet().stream()
                .map(name -> new MBeanAttributeInfo(name, "long", name.replace('_', ' '), true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(CountsBean.class.getName(), "Counts since the start", attributes, null, null, null);
    }
}

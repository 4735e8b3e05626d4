/** What Cassandra 5 uses inside Java 17, as its own start script opens it (conf/jvm17-server.options). */
const exported = `
java.base/java.lang.ref java.base/jdk.internal.misc java.base/jdk.internal.ref java.base/sun.nio.ch
java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry java.rmi/sun.rmi.server
java.rmi/sun.rmi.transport.tcp java.sql/java.sql jdk.attach/sun.tools.attach
jdk.compiler/com.sun.tools.javac.file jdk.unsupported/sun.misc`;

const opened = `
java.base/java.io java.base/java.lang java.base/java.lang.module java.base/java.lang.reflect java.base/java.math
java.base/java.net java.base/java.nio java.base/java.nio.charset java.base/java.nio.file.spi java.base/java.time
java.base/java.util java.base/java.util.concurrent java.base/java.util.concurrent.atomic
java.base/jdk.internal.loader java.base/jdk.internal.math java.base/jdk.internal.module
java.base/jdk.internal.ref java.base/jdk.internal.reflect java.base/jdk.internal.util.jar
java.base/jdk.internal.vm java.base/sun.nio.ch java.base/sun.nio.fs java.rmi/sun.rmi.transport.tcp
jdk.compiler/com.sun.tools.javac jdk.management/com.sun.management jdk.management/com.sun.management.internal`;

const toUnnamed = (flag, packages) =>
  packages
    .trim()
    .split(/\s+/)
    .map((name) => `--${flag}=${name}=ALL-UNNAMED`);

export const addExports = toUnnamed('add-exports', exported);
export const addOpens = toUnnamed('add-opens', opened);

import type { OperatorConfig } from './operator-config.ts';

/** Packages of the JDK that Flink and its libraries reach into. From Java 17 on they must be opened. */
const exported = ['java.base/sun.net.util', 'java.rmi/sun.rmi.registry', 'java.security.jgss/sun.security.krb5'];
const opened = [
  'java.lang',
  'java.net',
  'java.io',
  'java.nio',
  'sun.nio.ch',
  'java.lang.reflect',
  'java.text',
  'java.time',
  'java.util',
  'java.util.concurrent',
  'java.util.concurrent.atomic',
  'java.util.concurrent.locks',
];

const javaOptions = [
  ...exported.map((name) => `--add-exports=${name}=ALL-UNNAMED`),
  ...opened.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
].join(' ');

const versions = 'kubernetes.operator.default-configuration.flink-version';

const log4j = `# Everything goes to the console, where Kubernetes finds it. What is chatty by nature says only what is wrong.
monitorInterval = 30
rootLogger.level = INFO
rootLogger.appenderRef.console.ref = Console

appender.console.name = Console
appender.console.type = CONSOLE
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %c{1.} [%t] - %m%n

logger.pekko.name = org.apache.pekko
logger.pekko.level = WARN
logger.kafka.name = org.apache.kafka
logger.kafka.level = WARN
logger.hadoop.name = org.apache.hadoop
logger.hadoop.level = WARN
logger.zookeeper.name = org.apache.zookeeper
logger.zookeeper.level = WARN
logger.netty.name = org.jboss.netty.channel.DefaultChannelPipeline
logger.netty.level = OFF
`;

/** What holds when nobody configures the operator: what the chart of the Java operator sets for clusters. */
export function defaultOperatorConfig(): OperatorConfig {
  return {
    settings: {
      'taskmanager.numberOfTaskSlots': '1',
      'parallelism.default': '1',
      // Images bring Java 17 from 1.18 on; in 1.19 the options got a key of their own, beside those of users.
      [`${versions}.v1_18.env.java.opts.all`]: javaOptions,
      [`${versions}.v1_19+.env.java.default-opts.all`]: javaOptions,
    },
    logFiles: { 'log4j-console.properties': log4j },
  };
}

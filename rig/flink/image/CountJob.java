package rig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Counts 0, 1, 2 … per key (the number modulo the number of keys), for ever. The source's position and the counts are
 * state, so that for key k the count always equals (value - k) / keys + 1: a record that was lost, or counted twice, or
 * state that was restored only in part, breaks that equation for ever after.
 *
 * <pre>
 * --rate 50          records per second and subtask of the source
 * --keys 4
 * --label v1         names the job and its lines
 * --out DIR          append a line of JSON to DIR/LABEL.jsonl for the first record of every attempt, then every 200 ms
 * --fail-file PATH   every record fails while the file exists
 * --hold-file PATH   no snapshot ends while the file exists: a savepoint stays in progress as long as a test needs
 * </pre>
 */
public final class CountJob {
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) options.put(arguments[i].replaceFirst("^--", ""), arguments[i + 1]);
        double rate = Double.parseDouble(options.getOrDefault("rate", "50"));
        int keys = Integer.parseInt(options.getOrDefault("keys", "4"));
        String label = options.getOrDefault("label", "v1");

        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        DataGeneratorSource<Long> numbers =
                new DataGeneratorSource<>(n -> n, Long.MAX_VALUE, RateLimiterStrategy.perSecond(rate), Types.LONG);
        environment
                .fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .keyBy(n -> n % keys)
                .process(new Count(label, options.get("out"), options.get("fail-file"), options.get("hold-file")))
                .name("count")
                .uid("count")
                .sinkTo(new DiscardingSink<>())
                .name("discard")
                .uid("discard");
        environment.execute("count-" + label);
    }

    private static final class Count extends KeyedProcessFunction<Long, Long, Long> implements CheckpointedFunction {
        private static final long REPORT_EVERY_MS = 200;
        private static final long LOOK_EVERY_MS = 20;

        private final String label;
        private final String out;
        private final String failFile;
        private final String holdFile;
        private transient ValueState<Long> count;
        private transient long reported;

        Count(String label, String out, String failFile, String holdFile) {
            this.label = label;
            this.out = out;
            this.failFile = failFile;
            this.holdFile = holdFile;
        }

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        }

        @Override
        public void processElement(Long value, Context context, Collector<Long> counted) throws Exception {
            if (exists(failFile)) throw new IllegalStateException("asked to fail by " + failFile);
            Long before = count.value();
            long now = (before == null ? 0 : before) + 1;
            count.update(now);
            report(context.getCurrentKey(), value, now);
            counted.collect(now);
        }

        private void report(long key, long value, long counted) throws IOException {
            long time = System.currentTimeMillis();
            if (out == null || time - reported < REPORT_EVERY_MS) return;
            String line = String.format(
                    "{\"time\":%d,\"job\":\"%s\",\"first\":%b,\"key\":%d,\"value\":%d,\"count\":%d}%n",
                    time, getRuntimeContext().getJobInfo().getJobId(), reported == 0, key, value, counted);
            reported = time;
            Files.write(
                    Path.of(out, label + ".jsonl"),
                    line.getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {}

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws InterruptedException {
            while (exists(holdFile)) Thread.sleep(LOOK_EVERY_MS);
        }

        private static boolean exists(String path) {
            return path != null && Files.exists(Path.of(path));
        }
    }
}

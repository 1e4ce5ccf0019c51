package com.fasterxml.jackson.datatype.jsr310;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;

/**
 * Takes the place of jackson-datatype-jsr310, the one library that generated Java clients name and Debian does not
 * have. Times of events are texts in JSON and instants with their offset in Java, as that library has them.
 */
public class JavaTimeModule extends SimpleModule {
    public JavaTimeModule() {
        addSerializer(new StdSerializer<OffsetDateTime>(OffsetDateTime.class) {
            @Override
            public void serialize(OffsetDateTime time, JsonGenerator to, SerializerProvider with) throws IOException {
                to.writeString(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
            }
        });
        addDeserializer(OffsetDateTime.class, new StdDeserializer<OffsetDateTime>(OffsetDateTime.class) {
            @Override
            public OffsetDateTime deserialize(JsonParser from, DeserializationContext with) throws IOException {
                return OffsetDateTime.parse(from.getText());
            }
        });
    }
}

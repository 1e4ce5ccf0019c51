// Posts a file of events with the client that openapi-generator generates, and keeps a receipt.
// Usage: Post URL TABLE EVENTS PROOF

import client.ApiClient;
import client.ApiException;
import client.api.CertificationApi;
import client.api.IngestApi;
import client.model.Answer;
import client.model.Event;
import client.model.Problem;
import client.model.Receipts;
import client.model.Severity;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class Post {
    /**
     * Refuses an object that lacks a required member, which Jackson alone does not. The generated classes tell the
     * alternatives of a `oneOf` apart by what can be read, and members that they do not know have to stay allowed: a
     * newer service may send more of them.
     */
    private static final class Required extends DelegatingDeserializer {
        private final List<String> names;

        Required(JsonDeserializer<?> reader, List<String> names) {
            super(reader);
            this.names = names;
        }

        @Override
        protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
            return new Required(reader, names);
        }

        @Override
        public Object deserialize(JsonParser from, DeserializationContext with) throws IOException {
            JsonNode object = with.readTree(from);
            for (String name : names) {
                if (!object.has(name)) {
                    throw JsonMappingException.from(from, "the member `" + name + "` is missing");
                }
            }
            JsonParser again = object.traverse(from.getCodec());
            again.nextToken();
            return super.deserialize(again, with);
        }
    }

    private static ObjectMapper mapper() {
        SimpleModule required = new SimpleModule("required");
        required.setDeserializerModifier(new BeanDeserializerModifier() {
            @Override
            public JsonDeserializer<?> modifyDeserializer(
                    DeserializationConfig config, BeanDescription type, JsonDeserializer<?> reader) {
                List<String> names = type.findProperties().stream()
                        .filter(BeanPropertyDefinition::isRequired).map(BeanPropertyDefinition::getName).toList();
                return names.isEmpty() ? reader : new Required(reader, names);
            }
        });
        return ApiClient.createDefaultObjectMapper().registerModule(required);
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new IllegalStateException(String.valueOf(what));
        }
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0], table = arguments[1], file = arguments[2], proof = arguments[3];
        ObjectMapper mapper = mapper();
        List<Event> events = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(file))) {
            events.add(mapper.readValue(line, Event.class));
        }
        ApiClient client = new ApiClient(ApiClient.createDefaultHttpClientBuilder(), mapper, url);
        Answer answer = new IngestApi(client).postEvents(table, events, null, null);
        // An answer is receipts, or the dry run that was asked for.
        Receipts posted = answer.getReceipts();
        var receipt = posted.getReceipts().get(posted.getReceipts().size() - 1);
        Files.writeString(Path.of(proof), receipt.getProof());
        var certification = new CertificationApi(client);
        var found = certification.listFindings(null, null, null, null, Severity.VIOLATION, null, 10L);
        Problem problem = null;
        try {
            certification.listFindings(null, null, null, null, null, null, 0L);
        } catch (ApiException refusal) {
            problem = mapper.readValue(refusal.getResponseBody(), Problem.class);
        }
        check(problem != null, "a limit of 0 was not refused");
        // What a newer service says in words and members that this client does not know does not stop it.
        ObjectNode newer = mapper.valueToTree(problem);
        newer.put("type", "urn:audit:newer").put("newer", 1);
        Problem unknown = mapper.treeToValue(newer, Problem.class);
        check(unknown.getType().getString().equals("urn:audit:newer"), unknown);
        newer = mapper.valueToTree(answer);
        Answer more = mapper.treeToValue(newer.put("newer", 1), Answer.class);
        check(more.equals(answer), more);
        Map<String, Object> said = new TreeMap<>();
        said.put("recorded", posted.getRecorded());
        said.put("already_there", posted.getAlreadyThere());
        said.put("index", receipt.getIndex());
        said.put("digest", receipt.getDigest());
        said.put("findings", found.getPublished());
        said.put("refused", problem.getType().getActualInstance());
        System.out.println(mapper.writeValueAsString(said));
    }
}

-- The same events in PostgreSQL, chained by hash within each table: what somebody would build who keeps the
-- record in a database. A statement's events are chained by one trigger, in memory, so that posts of many
-- events cost one look at the chain's head and one update of it.
CREATE TABLE heads (name text PRIMARY KEY, hash bytea NOT NULL) WITH (fillfactor = 50);
CREATE TABLE events (name text, sequence bigint, line text NOT NULL, PRIMARY KEY (name, sequence));
CREATE TABLE chain (name text, sequence bigint, hash bytea NOT NULL);

CREATE FUNCTION chain_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fresh_event record;
    newest bytea;
    whose text;
    numbers bigint[] := '{}';
    hashes bytea[] := '{}';
BEGIN
    SELECT name INTO whose FROM fresh LIMIT 1;
    IF whose IS NULL THEN RETURN NULL; END IF;
    INSERT INTO heads VALUES (whose, '\x') ON CONFLICT DO NOTHING;
    SELECT hash INTO newest FROM heads WHERE name = whose FOR UPDATE;
    FOR fresh_event IN SELECT sequence, line FROM fresh ORDER BY sequence LOOP
        newest := sha256(newest || convert_to(fresh_event.line, 'UTF8'));
        numbers := numbers || fresh_event.sequence;
        hashes := hashes || newest;
    END LOOP;
    INSERT INTO chain SELECT whose, * FROM unnest(numbers, hashes);
    UPDATE heads SET hash = newest WHERE name = whose;
    RETURN NULL;
END $$;

CREATE TRIGGER chained AFTER INSERT ON events REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION chain_events();

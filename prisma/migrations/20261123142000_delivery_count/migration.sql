-- How many deliveries of a run are in which state, so that a report needn't read them. Triggers count, once for each
-- statement. Each connection counts in rows of its own, so that none waits for another; a number may be negative.

CREATE TABLE delivery_count (
    run_id integer NOT NULL,
    method delivery_method NOT NULL,
    state delivery_state NOT NULL,
    reason varchar(300) NOT NULL,
    backend integer NOT NULL,
    count integer NOT NULL,
    CONSTRAINT delivery_count_pkey PRIMARY KEY (run_id, method, state, reason, backend)
);

CREATE FUNCTION count_planned_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO delivery_count (run_id, method, state, reason, backend, count)
    SELECT run_id, method, state, coalesce(reason, ''), pg_backend_pid(), count(*)
    FROM added GROUP BY run_id, method, state, coalesce(reason, '')
    ON CONFLICT ON CONSTRAINT delivery_count_pkey DO UPDATE SET count = delivery_count.count + excluded.count;
    RETURN NULL;
END $$;

CREATE TRIGGER delivery_count_planned AFTER INSERT ON delivery
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_planned_deliveries();

CREATE FUNCTION count_changed_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO delivery_count (run_id, method, state, reason, backend, count)
    SELECT run_id, method, state, reason, pg_backend_pid(), sum(difference)
    FROM (
        SELECT run_id, method, state, coalesce(reason, '') AS reason, 1 AS difference FROM added
        UNION ALL
        SELECT run_id, method, state, coalesce(reason, ''), -1 FROM removed
    ) AS changed
    GROUP BY run_id, method, state, reason HAVING sum(difference) <> 0
    ON CONFLICT ON CONSTRAINT delivery_count_pkey DO UPDATE SET count = delivery_count.count + excluded.count;
    RETURN NULL;
END $$;

CREATE TRIGGER delivery_count_changed AFTER UPDATE ON delivery
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_deliveries();

-- Deliveries are only deleted together with their run or when it is archived, which deletes these numbers too.
CREATE OR REPLACE FUNCTION delete_deliveries_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM delivery WHERE run_id = OLD.id;
    DELETE FROM delivery_count WHERE run_id = OLD.id;
    RETURN OLD;
END $$;

INSERT INTO delivery_count (run_id, method, state, reason, backend, count)
SELECT run_id, method, state, coalesce(reason, ''), 0, count(*) FROM delivery GROUP BY 1, 2, 3, 4;

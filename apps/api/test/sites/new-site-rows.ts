import type pg from 'pg'

// Triggers and foreign keys are off while rows are replaced, so that the order of the tables doesn't matter.
const createRestore = `
  CREATE SCHEMA new_site;

  DO $$
  DECLARE name text; has_rows boolean;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO has_rows;
      IF has_rows THEN EXECUTE format('CREATE TABLE new_site.%1$I AS TABLE public.%1$I', name); END IF;
    END LOOP;
  END $$;

  CREATE FUNCTION new_site.restore() RETURNS boolean LANGUAGE plpgsql SET session_replication_role = replica AS $$
  DECLARE name text;
  BEGIN
    LOCK TABLE jobs.job IN EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM jobs.job WHERE state = 'active') THEN RETURN false; END IF;
    DELETE FROM jobs.job;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('DELETE FROM public.%I', name);
    END LOOP;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'new_site' LOOP
      EXECUTE format('INSERT INTO public.%1$I SELECT * FROM new_site.%1$I', name);
    END LOOP;
    RETURN true;
  END $$`

/** Keeps the rows of a new site in its database, for `restoreRows`. */
export async function keepRows(pool: pg.Pool): Promise<void> {
  await pool.query(createRestore)
}

/** Deletes every row and job that tests have stored. Throws while a job runs. */
export async function restoreRows(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ restored: boolean }>('SELECT new_site.restore() AS restored')
  if (rows[0]?.restored !== true) throw new Error('A job is running')
}

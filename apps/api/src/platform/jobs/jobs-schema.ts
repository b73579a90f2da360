import { getConstructionPlans } from 'pg-boss'

/** The database schema of the job queue. */
export const jobsSchema = 'jobs'

/** Returns the statements that create the tables of the job queue, as this version of the code uses them. */
export function jobsSchemaSql(): string {
  return getConstructionPlans(jobsSchema)
}

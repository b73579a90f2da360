import { getConstructionPlans } from 'pg-boss'

/** Returns the statements that create the tables of the job queue, as this version of the code uses them. */
export function jobsSchemaSql(): string {
  return getConstructionPlans('jobs')
}

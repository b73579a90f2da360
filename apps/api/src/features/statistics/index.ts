/** The numbers of the site by day, for editors. */
export { countMembers } from './statistics.jobs.ts'
export { registerStatistics } from './statistics.routes.ts'
export { createStatistics } from './statistics.service.ts'

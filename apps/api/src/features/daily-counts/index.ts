/**
 * Numbers by day, for the statistics of the desk, without who did it.
 *
 * - link: opened signed links, by purpose
 * - gone: members who left; joined: those of them who joined on the day
 * - members: at the end of the day, by plan; the empty label has all
 * - search: searches without results that enough readers made, by their words
 */
export { type CountedDay, listCounts, listMissedSearches, replaceCounts } from './daily-counts.repository.ts'
export { createDailyCounts, type DailyCounts, missThreshold } from './daily-counts.service.ts'

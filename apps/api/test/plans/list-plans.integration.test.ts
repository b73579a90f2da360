import { testListPlans } from './list-plans.ts'

// The simulation beside it has as many members and changes as a site of ten years.
testListPlans({ editions: 300, memos: 3_000, comments: 5_000, members: 5_000, entries: 20_000 })

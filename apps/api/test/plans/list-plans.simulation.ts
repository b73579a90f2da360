import { testListPlans } from './list-plans.ts'

testListPlans({ editions: 5_000, memos: 50_000, comments: 5_000, members: 50_000, entries: 1_000_000 })

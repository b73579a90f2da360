import type { SeedMember } from './types.ts'

/** The seeded members, whose logins `start` prints. */
export const seedMembers: readonly SeedMember[] = [
  {
    email: 'reader@tidings.example',
    password: 'tidings-reader',
    name: 'Robin Reader',
    planIds: ['pln_free-7q2m9x4kd1'],
  },
]

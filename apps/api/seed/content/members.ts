import type { SeedMember } from './types.ts'

/** The members that a site to try things on begins with. The start shows them. */
export const seedMembers: readonly SeedMember[] = [
  {
    email: 'reader@tidings.example',
    password: 'tidings-reader',
    name: 'Robin Reader',
    planIds: ['pln_free-7q2m9x4kd1'],
  },
]

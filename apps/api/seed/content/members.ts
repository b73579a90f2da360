import type { SeedMember } from './types.ts'

const freePlan = 'pln_free-7q2m9x4kd1'

/** The seeded members, with the same password. `start` prints the first login. The others receive deliveries. */
export const seedMembers: readonly SeedMember[] = [
  {
    email: 'reader@tidings.example',
    password: 'tidings-reader',
    name: 'Robin Reader',
    planIds: [freePlan],
  },
  {
    email: 'memos@tidings.example',
    password: 'tidings-reader',
    name: 'Mina Memo',
    planIds: [freePlan],
    method: 'memo-email',
  },
  {
    email: 'texts@tidings.example',
    password: 'tidings-reader',
    name: 'Tess Texts',
    planIds: [freePlan],
    method: 'memo-sms',
    // 555-01 numbers are reserved for examples.
    phone: '+12025550123',
  },
  {
    email: 'pages@tidings.example',
    password: 'tidings-reader',
    name: 'Paul Pages',
    planIds: [freePlan],
    method: 'pdf-email',
    pdfFormat: 'a4',
  },
  {
    email: 'pdftexts@tidings.example',
    password: 'tidings-reader',
    name: 'Pia Pdf',
    planIds: [freePlan],
    method: 'pdf-sms',
    phone: '+12025550124',
  },
  {
    email: 'evening@tidings.example',
    password: 'tidings-reader',
    name: 'Eve Evening',
    planIds: [freePlan],
    method: 'digest',
  },
]

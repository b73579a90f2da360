/** Bare argon2, the baseline of logins. */
import { verify } from 'argon2'
import { type Pace, steadyRate } from '../load/steady-rate.ts'
import { serveRequests } from '../programs/serve-requests.ts'

export type BareVerify = Pace & { hash: string; password: string }

serveRequests<BareVerify>(
  async ({ hash, password, ...pace }) =>
    await steadyRate(pace, async () => {
      if (!(await verify(hash, password))) throw new Error('The password does not match the hash.')
    }),
)

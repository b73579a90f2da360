import { searchEditions } from '@tidings/contracts/search'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { register } from '#http/endpoints/register.ts'
import type { Authenticate } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { GatePass } from '#http/sessions/gate-pass.ts'
import { getDate } from '../editions/index.ts'
import type { SearchService } from './search.service.ts'
import { parseCursor } from './search-cursor.ts'

type Deps = { search: SearchService; authenticate: Authenticate; gatePass: GatePass }

/** Registers the search, which visitors and members may call once they have passed the gate. */
export function registerSearchRoutes(app: App, { search, authenticate, gatePass }: Deps): void {
  register(app, searchEditions, async (request, reply) => {
    neverStored(reply)
    const { q, from, to, after } = request.query
    const auth = await authenticate(request)
    if (auth === 'invalid') throw failMembership('client/invalid-token')
    return await search.find(
      {
        q,
        from: from === undefined ? null : getDate(from),
        to: to === undefined ? null : getDate(to),
        after: after === undefined ? null : parseCursor(after),
      },
      auth === 'none' ? null : auth,
      { address: request.ip, browserId: gatePass.idOf(request.headers.cookie) },
    )
  })
}

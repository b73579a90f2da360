import type { MemberExport } from '@tidings/contracts/members'
import type { Belonging } from './belongings.repository.ts'

type Head = Pick<MemberExport, 'exportedAt' | 'member' | 'termsAcceptedAt' | 'termsOrigin'>

/** The lists that follow the head, each behind its part of the reply. */
const parts = [
  [',"identities":', 'identities'],
  [',"sessions":', 'sessions'],
  [',"comments":{"posts":', 'posts'],
  [',"threads":', 'threads'],
  [',"postVotes":', 'postVotes'],
  [',"threadVotes":', 'threadVotes'],
  [',"subscriptions":', 'subscriptions'],
] as const

/** Writes the reply of `GET /member/export` piece by piece, so that it never has to fit into memory. */
export async function* writeMemberExport(
  head: Head,
  list: (name: Belonging) => AsyncIterable<string[]>,
): AsyncGenerator<string> {
  yield JSON.stringify({ data: head }).slice(0, -2)
  for (const [before, name] of parts) {
    yield `${before}[`
    let separator = ''
    for await (const items of list(name)) {
      if (items.length > 0) yield separator + items.join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}}}'
}

import type { MemberSession } from '@tidings/contracts/auth'

/** What every call resolves to. `message` is the server's text for people, where there is one. */
export type Reply<Data> = { data: Data; message?: string }

/** What a contract's reply carries as `data`. */
export type DataOf<Schema extends { _zod: { output: { data: unknown } } }> = Schema['_zod']['output']['data']

/** What the client reads of a login: the session's token with its end, and the member. */
export type OpenedSession = Pick<MemberSession, 'member'> & {
  tokens: { accessToken: string; expires?: number }
}

import type { MemberSession } from '@tidings/contracts/membership/auth'

/** The result of a call. `message` is the server's text for people. */
export type Reply<Data> = { data: Data; message?: string }

/** The type of `data` in a contract's reply. */
export type DataOf<Schema extends { _zod: { output: { data: unknown } } }> = Schema['_zod']['output']['data']

/** The part of a login reply that the client reads. */
export type OpenedSession = Pick<MemberSession, 'member'> & {
  tokens: { accessToken: string; expires?: number }
}

import type { Route } from '@tidings/contracts/endpoint'
import type { ReplyAt } from '@tidings/contracts/endpoints'
import type { MemberSession } from '@tidings/contracts/membership/auth'

/** The result of a call. `message` is the server's text for people. */
export type Reply<Data> = { data: Data; message?: string }

/** The data in a route's reply. */
export type DataAt<At extends Route> = ReplyAt<At> extends { data: infer Data } ? Data : never

/** The part of a login reply that the client reads. */
export type OpenedSession = Pick<MemberSession, 'member'> & {
  tokens: { accessToken: string; expires?: number }
}

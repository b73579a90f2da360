import * as routes from '@tidings/contracts/membership/routes'
import { type RawReply, rawGet, rawPost } from './raw-request.ts'

/** The app of the measured sites, with limits that one address cannot reach. */
export const membershipSettings = {
  APP_ID: 'app_bench',
  APP_PUBLIC_KEY: 'pk_bench',
  RATE_LOGINS_PER_MINUTE: '1000000',
  RATE_SIGNUPS_PER_MINUTE: '1000000',
  RATE_SEARCHES_PER_MINUTE: '1000000',
}

/** The headers of every call. */
export const appHeaders = { 'X-API-Key': membershipSettings.APP_PUBLIC_KEY }

/** The password of every measured member. */
export const memberPassword = 'a password for measuring'

/** A logged-in member. */
export type LoggedIn = { memberId: string; sessionId: string; headers: Record<string, string> }

/** Logs a member in. */
export async function logIn(url: string, email: string): Promise<LoggedIn> {
  const body = { email, password: memberPassword }
  return readLogin(requireOk(await rawPost(url + routes.login.path, appHeaders, body)))
}

/** Signs a member up. */
export async function signUp(url: string, email: string): Promise<void> {
  requireOk(await rawPost(url + routes.signUp.path, appHeaders, { email, password: memberPassword }))
}

/** Ends the session on the server. */
export async function logOut(url: string, { headers }: LoggedIn): Promise<void> {
  requireOk(await rawPost(url + routes.logout.path, headers))
}

/** Returns the member's id, or null for a visitor. */
export async function currentMember(url: string, { headers }: LoggedIn): Promise<string | null> {
  const { data } = JSON.parse(requireOk(await rawGet(url + routes.getMember.path, headers)).body.toString())
  return data === null ? null : data.id
}

/** Returns the status of a call that only members may make. */
export async function statusForMembers(url: string, { headers }: LoggedIn): Promise<number> {
  return (await rawGet(url + routes.getMemberJson.path, headers)).status
}

/** Reads the reply of a login. The session's id is in the token's claims. */
export function readLogin({ body }: Pick<RawReply, 'body'>): LoggedIn {
  const { data } = JSON.parse(body.toString())
  const token: string = data.tokens.accessToken
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const headers = { ...appHeaders, Authorization: `Bearer ${token}` }
  return { memberId: data.member.id, sessionId: claims.sid, headers }
}

function requireOk(reply: RawReply): RawReply {
  if (reply.status === 200) return reply
  throw new Error(`A member's call responded with ${reply.status}: ${reply.body.toString()}`)
}

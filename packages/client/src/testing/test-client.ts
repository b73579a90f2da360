import type { MemberSession } from '@tidings/contracts/membership/auth'
import { onTestFinished } from 'vitest'
import { createMembershipClient, type MembershipClient, type MembershipClientOptions } from '../index.ts'
import { apiBase, reply, respondWith } from './fake-api.ts'
import { wireSession } from './wire-samples.ts'

/** Creates a client as a page does; it stops listening to other tabs when the test ends. */
export function testClient(options: Partial<MembershipClientOptions> = {}): MembershipClient {
  const client = createMembershipClient({ apiBase, publicKey: 'pk_test', ...options })
  onTestFinished(client.destroy)
  return client
}

/** Creates the same client and logs it in. */
export async function loggedInClient(
  options: Partial<MembershipClientOptions> = {},
  session: MemberSession = wireSession(),
): Promise<MembershipClient> {
  const client = testClient(options)
  respondWith(reply(session, 'You have successfully logged in.'))
  await client.loginMemberEmailPassword({ email: session.member.auth.email, password: 'a password' })
  return client
}

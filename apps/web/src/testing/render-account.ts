import { wireMember } from '@tidings/client/testing/wire-samples'
import type { Member } from '@tidings/contracts/membership/members'
import { fakeSite } from './api-handlers.ts'
import { type FakeAccount, fakeAccount } from './fake-account.ts'
import { type FakeMembership, fakeMembership } from './fake-membership.ts'
import { type RenderOptions, renderApp } from './render-app.tsx'

type AccountOptions = Omit<RenderOptions, 'path' | 'site' | 'account' | 'isLoggedIn'> & {
  member?: Partial<Member>
  membership?: Partial<FakeMembership>
  account?: Partial<FakeAccount>
}

/** Renders a screen of a logged-in member's account, with all account calls. */
export async function renderAccount(path: string, options: AccountOptions = {}) {
  const { member, membership, account: given, ...rest } = options
  const site = fakeSite({ membership: fakeMembership({ member: wireMember(member), ...membership }) })
  const account = fakeAccount(given)
  const page = await renderApp({ path, site, account, isLoggedIn: true, ...rest })
  return { ...page, account }
}

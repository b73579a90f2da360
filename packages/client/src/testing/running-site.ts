import { putSecureContent } from '@tidings/contracts/desk/content/secure-content'
import { urlOf } from '@tidings/contracts/endpoint'
import { type EndToEndSite, startEndToEndSite } from '@tidings/launcher/end-to-end'
import type { TestProject } from 'vitest/node'
import { createMembershipClient } from '../index.ts'

/** The running site whose API the integration tests call. */
type RunningSite = Pick<EndToEndSite, 'url' | 'publicKey' | 'inboxUrl' | 'guestOrigin'>

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface extends the library's.
  interface ProvidedContext {
    site: RunningSite
  }
}

let site: EndToEndSite | undefined

/** Starts a site from the bundles, for all files. */
export async function setup(project: TestProject): Promise<void> {
  site = await startEndToEndSite({ workers: 0, seed: false, postgresSettings: { fsync: 'off' } })
  await addSecureContent(site)
  const { url, publicKey, inboxUrl, guestOrigin } = site
  project.provide('site', { url, publicKey, inboxUrl, guestOrigin })
}

/** Adds content for every member, and content for a yearly plan. */
async function addSecureContent({ url, editorKey, publicKey }: EndToEndSite): Promise<void> {
  const { data: plans } = await createMembershipClient({ apiBase: url, publicKey }).getPlans()
  const yearly = plans.filter(({ name }) => name === 'Yearly').map(({ id }) => id)
  for (const [contentId, opening] of [
    ['members-welcome', []],
    ['yearly-only', yearly],
  ] as const) {
    const body = { type: 'HTML', content: '<p>Welcome</p>', plans: opening }
    const { status } = await fetch(url + urlOf(putSecureContent, { params: { contentId } }), {
      method: putSecureContent.method,
      headers: { authorization: `Bearer ${editorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (status !== 201) throw new Error(`The secure content ${contentId} was not added: ${status}`)
  }
}

export async function teardown(): Promise<void> {
  await site?.stop()
}

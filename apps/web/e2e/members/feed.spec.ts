import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { createAccount, expect, openSession, test } from './member.ts'

type Entry = { url: string; content_html: string }

test('a member reads the newest edition in a private feed, and renews its address', async ({
  reader,
  // A feed reader has no gate pass.
  request,
  consoleErrors,
}) => {
  await openSession(reader, await createAccount(reader))
  await reader.goto('/#/home')
  const title = (await reader.locator('.memo-title').first().textContent()) ?? ''
  const edition = (await reader.locator('.slot[data-shown="true"]').getAttribute('href')) ?? ''
  await reader.goto('/#/account/dashboard')
  const feed = reader.getByRole('region', { name: 'Feed' })
  const addresses = () =>
    Promise.all(['RSS', 'JSON Feed'].map((label) => feed.getByLabel(label, { exact: true }).inputValue()))

  await reader.locator('summary', { hasText: 'Feed' }).click()
  await feed.getByRole('button', { name: 'Create a feed address' }).click()
  await expect(feed.getByLabel('RSS')).toHaveAccessibleDescription(
    /^Copy the address now\. We show it only once/,
  )
  await expectAccessiblePage(reader, 'Subscription options')
  const [rss = '', json = ''] = await addresses()
  const { items }: { items: Entry[] } = await (await request.get(json)).json()
  const entry = items.find(({ url }) => url.endsWith(edition))
  expect(entry?.content_html).toContain(title)
  expect(await (await request.get(rss)).text()).toContain(`<link>${entry?.url}</link>`)

  await feed.getByRole('button', { name: 'Renew the feed address' }).click()
  await expect(feed.getByLabel('RSS')).not.toHaveValue(rss)
  for (const address of [rss, json]) expect((await request.get(address)).status()).toBe(404)
  for (const address of await addresses()) expect((await request.get(address)).status()).toBe(200)
  expect([...consoleErrors]).toEqual([])
})

import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { serveComments } from '#testing/fake-comments.ts'
import { storeSession } from '#testing/fake-membership.ts'
import { renderApp } from '#testing/render-app.tsx'

const key = '11-20-26-10AM'
const words = 'Only Ada knows this'

beforeEach(() => window.sessionStorage.clear())

async function open({ isLoggedIn = true } = {}) {
  const site = fakeSite({ editions: { [key]: [wireMemo({ title: 'A memo' })] } })
  const config = { editionComments: true, appPublicKey: 'pk_test' }
  const page = await renderApp({ path: `/edition/${key}`, site, config, isLoggedIn, isIdle: true })
  serveComments({})
  const title = await screen.findByRole('button', { name: /^Comments/ })
  await page.user.click(title)
  return { ...page, title }
}

/** Opens the comments, and writes without sending. */
async function write() {
  const page = await open()
  await page.user.type(await screen.findByLabelText('Write a comment'), words)
  expect(JSON.stringify({ ...window.sessionStorage })).toContain(words)
  return page
}

function changeToken(next: string | null) {
  const before = window.localStorage.getItem('_ms-mid')
  if (next === null) window.localStorage.removeItem('_ms-mid')
  else window.localStorage.setItem('_ms-mid', next)
  const change = { key: '_ms-mid', oldValue: before, newValue: next, storageArea: window.localStorage }
  act(() => void window.dispatchEvent(new StorageEvent('storage', change)))
}

describe('the draft of a comment', () => {
  it('is there again when its member opens the comments again', async () => {
    const { user, title } = await write()
    await user.click(title)
    await user.click(title)
    expect(await screen.findByDisplayValue(words)).toBeDefined()
  })

  const endings: readonly (readonly [
    string,
    (page: Awaited<ReturnType<typeof write>>) => Promise<unknown>,
  ])[] = [
    ['a logout', ({ services }) => services.memberSession.leave((client) => client.logout())],
    [
      'the deletion of the account',
      ({ services }) => services.memberSession.leave((client) => client.deleteMember()),
    ],
    ['a logout in another tab', async () => changeToken(null)],
    [
      'an end elsewhere',
      async ({ site, services }) => {
        site.membership.hasSession = false
        await services.memberSession.verify()
      },
    ],
  ]
  it.each(endings)('ends with %s', async (_name, end) => {
    const page = await write()
    await act(async () => void (await end(page)))
    await waitFor(() => expect(screen.queryByLabelText('Write a comment')).toBeNull())
    expect(document.body.textContent).not.toContain(words)
    expect(JSON.stringify({ ...window.sessionStorage })).not.toContain(words)
  })

  it('is not the next member’s, who logs in in another tab', async () => {
    const { site } = await write()
    site.membership.member = { ...site.membership.member, id: 'mem_bob' }
    changeToken('token-of-bob')
    await waitFor(() => expect(screen.queryByDisplayValue(words)).toBeNull())
    expect(JSON.stringify({ ...window.sessionStorage })).not.toContain(words)
  })

  it('of an ended session is removed when the page opens again', async () => {
    const { services } = await write()
    const left = window.sessionStorage.getItem('tidings:drafts') ?? ''
    await services.memberSession.leave((client) => client.logout())
    window.sessionStorage.setItem('tidings:drafts', left)
    await open({ isLoggedIn: false })
    expect(window.sessionStorage.getItem('tidings:drafts')).toBeNull()
  })

  it('of another member is neither shown nor kept', async () => {
    window.sessionStorage.setItem(
      'tidings:drafts',
      JSON.stringify({ member: 'mem_other', texts: { [`comment:edition:${key}`]: words } }),
    )
    const { site, services } = await open()
    storeSession(site.membership)
    await services.memberSession.verify()
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Write a comment')).value).toBe('')
    await waitFor(() => expect(window.sessionStorage.getItem('tidings:drafts')).toBeNull())
  })
})

it('a sign-up that was started in this tab ends with the session', async () => {
  const { services } = await open()
  const pending = JSON.stringify({ name: 'Ada', email: 'ada@example.com', phone: '+12025550100' })
  window.sessionStorage.setItem('tidings:sign-up', pending)
  await act(async () => void (await services.memberSession.leave((client) => client.logout())))
  expect(window.sessionStorage.getItem('tidings:sign-up')).toBeNull()
})

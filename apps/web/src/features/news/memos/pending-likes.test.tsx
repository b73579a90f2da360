import { act, screen, waitFor } from '@testing-library/react'
import { likeMemo } from '@tidings/contracts/editions'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite, serve, wireMemo } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { renderApp } from '#testing/render-app.tsx'

const memo = wireMemo({ title: 'Harbour opens' })

/** Opens a memo, then loses the connection to the server that counts likes. */
async function openOffline() {
  const page = await renderApp({
    path: '/edition/11-20-26-10AM',
    site: fakeSite({ editions: { '11-20-26-10AM': [{ ...memo }] } }),
  })
  await page.user.click(await screen.findByRole('button', { name: 'Harbour opens' }))
  apiServer.use(fake(likeMemo, () => HttpResponse.error()))
  const heart = await screen.findByRole('button', { name: /^Like/ })
  return { ...page, heart }
}

const reconnect = () => act(() => void window.dispatchEvent(new Event('online')))
const markOf = () => window.localStorage.getItem(memo._id)

describe('a like made offline', () => {
  it('is pending, and saved once there is a connection', async () => {
    const { user, heart, site } = await openOffline()
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-label')).toContain('not saved yet'))
    expect(heart.getAttribute('aria-pressed')).toBe('true')
    expect([markOf(), heart.textContent]).toEqual([null, '12'])

    apiServer.resetHandlers()
    serve(site)
    reconnect()
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 13 likes'))
    expect([markOf(), heart.getAttribute('aria-pressed')]).toEqual(['added', 'true'])
  })

  it('is replaced by the last tap', async () => {
    const { user, heart } = await openOffline()
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('true'))
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('false'))
    const sent: unknown[] = []
    apiServer.use(
      fake(likeMemo, ({ body }) => {
        sent.push(body)
        return { id: memo._id, counter: 12 }
      }),
    )
    reconnect()
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes'))
    expect(sent).toEqual([{ id: memo._id, add: false }])
  })

  it('is taken back with one toast when the server refuses it', async () => {
    const { user, heart } = await openOffline()
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('true'))
    apiServer.use(fake(likeMemo, () => errorResponse(404, 'memo-not-found', 'It was withdrawn.')))
    reconnect()
    await screen.findByText('We couldn’t save a like that you made offline.')
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes'))
    expect([markOf(), heart.getAttribute('aria-pressed')]).toEqual([null, 'false'])
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })
})

describe('a tap on a heart whose like is being saved', () => {
  /** Opens a memo of a site that saves the first like only when it is released. */
  async function openSlow(first: () => Response | { id: string; counter: number }) {
    const page = await renderApp({
      path: '/edition/11-20-26-10AM',
      site: fakeSite({ editions: { '11-20-26-10AM': [{ ...memo }] } }),
    })
    await page.user.click(await screen.findByRole('button', { name: 'Harbour opens' }))
    const heart = await screen.findByRole('button', { name: /^Like/ })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const sent: unknown[] = []
    apiServer.use(
      fake(likeMemo, async ({ body: { id, add } }) => {
        sent.push(add)
        if (sent.length > 1) return { id, counter: add ? 13 : 12 }
        await released
        return first()
      }),
    )
    await page.user.click(heart)
    await waitFor(() => expect(sent).toEqual([true]))
    return { ...page, heart, release, sent }
  }

  const saved = () => ({ id: memo._id, counter: 13 })

  it('is sent after it, and the last tap wins', async () => {
    const { user, heart, release, sent } = await openSlow(saved)
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('false'))
    expect([sent, markOf()]).toEqual([[true], null])
    release()
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes'))
    await waitFor(() => expect([sent, markOf()]).toEqual([[true, false], 'origin']))
    expect(heart.getAttribute('aria-pressed')).toBe('false')
  })

  it('sends nothing more if it comes back to the like that is being saved', async () => {
    const { user, heart, release, sent } = await openSlow(saved)
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('false'))
    await user.click(heart)
    release()
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 13 likes'))
    expect([sent, markOf(), heart.getAttribute('aria-pressed')]).toEqual([[true], 'added', 'true'])
  })

  it('decides, even if the earlier one is refused', async () => {
    const { user, heart, release, sent } = await openSlow(() =>
      errorResponse(429, 'too-many-requests', 'Please wait.'),
    )
    await user.click(heart)
    release()
    await waitFor(() => expect([sent, markOf()]).toEqual([[true, false], 'origin']))
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes'))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is taken back with it in one toast when both are refused', async () => {
    const refused = () => errorResponse(404, 'memo-not-found', 'It was withdrawn.')
    const { user, heart, release } = await openSlow(refused)
    apiServer.use(fake(likeMemo, refused))
    await user.click(heart)
    release()
    await screen.findByText('We couldn’t save your like. Try again.')
    expect([markOf(), heart.getAttribute('aria-pressed')]).toEqual([null, 'false'])
    expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })
})

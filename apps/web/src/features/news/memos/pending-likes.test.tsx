import { act, screen, waitFor } from '@testing-library/react'
import { paths } from '@tidings/contracts/paths'
import { HttpResponse, http } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, errorResponse, fakeSite, serve, wireMemo } from '#testing/api-handlers.ts'
import { renderApp } from '#testing/render-app.tsx'

const memo = wireMemo({ title: 'Harbour opens' })

/** Opens a memo, then loses the connection to the server that counts likes. */
async function openOffline() {
  const page = await renderApp({
    path: '/edition/11-20-26-10AM',
    site: fakeSite({ editions: { '11-20-26-10AM': [{ ...memo }] } }),
  })
  await page.user.click(await screen.findByRole('button', { name: 'Harbour opens' }))
  apiServer.use(http.post(paths.updateCounter, () => HttpResponse.error()))
  const heart = await screen.findByRole('button', { name: /^Like/ })
  return { ...page, heart }
}

const reconnect = () => act(() => void window.dispatchEvent(new Event('online')))
const markOf = () => window.localStorage.getItem(memo._id)

describe('a like made offline', () => {
  it('is pending, and saved once there is a connection', async () => {
    const { user, heart, site } = await openOffline()
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-label')).toContain('waiting for a connection'))
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
      http.post(paths.updateCounter, async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ id: memo._id, counter: 12 })
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
    apiServer.use(
      http.post(paths.updateCounter, () => errorResponse(404, 'memo-not-found', 'It was withdrawn.')),
    )
    reconnect()
    await screen.findByText("We couldn't save a like that you made offline.")
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes'))
    expect([markOf(), heart.getAttribute('aria-pressed')]).toEqual([null, 'false'])
    expect(screen.getAllByRole('alert')).toHaveLength(1)
  })
})

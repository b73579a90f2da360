import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { likeMemo } from '@tidings/contracts/editions'
import { describe, expect, it, vi } from 'vitest'
import { apiServer, fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { renderApp } from '#testing/render-app.tsx'

const harbour = wireMemo({
  title: 'Harbour opens',
  media: 'harbour0000000000000.jpg',
  media_title: 'The harbour at low tide',
  media_text: '<p>Drawing: <em>the press</em></p>',
})
const vaccine = wireMemo({ title: 'Vaccine arrives', counter: 1, source: '' })

function site() {
  return fakeSite({ editions: { '11-20-26-10AM': [{ ...harbour }, { ...vaccine }] } })
}

function pictureButton() {
  return screen.getByRole('button', { name: 'Show the whole picture' })
}

function title(name: string) {
  return screen.findByRole('button', { name })
}

describe('a memo', () => {
  it('opens on a tap to caption, picture, body and source, and closes on the next', async () => {
    const { user } = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await user.click(await title('Harbour opens'))
    expect(screen.getByText('The harbour at low tide')).toBeDefined()
    // The caption is its description, so the image has no text of its own.
    const picture = within(pictureButton()).getByRole('presentation')
    expect(picture.getAttribute('srcset')).toBe(
      [360, 720, 1080]
        .map((width) => `/media/11-20-26/10AM/harbour0000000000000.jpg?w=${width} ${width}w`)
        .join(', '),
    )
    expect(screen.getByText('The body of Harbour opens.')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Source: source.example' }).getAttribute('href')).toBe(
      'https://source.example/',
    )
    expect((await title('Harbour opens')).getAttribute('aria-expanded')).toBe('true')
    await user.click(await title('Harbour opens'))
    expect((await title('Harbour opens')).getAttribute('aria-expanded')).toBe('false')
  })

  it('says what was corrected, and when', async () => {
    const correction = { note: 'The bridge has four lanes.', at: '2026-11-20T20:12:00.000Z' }
    const { user } = await renderApp({
      path: '/edition/11-20-26-10AM',
      site: fakeSite({ editions: { '11-20-26-10AM': [{ ...harbour, correction }] } }),
    })
    await user.click(await title('Harbour opens'))
    const line = screen.getByText(/^Corrected at/).textContent
    expect(line).toMatch(/^Corrected at \d{1,2}:12\s[AP]M: The bridge has four lanes\.$/)
  })

  it('says it in the direction of the memo, and the note in its own', async () => {
    const correction = { note: 'לגשר ארבעה נתיבים.', at: '2026-11-20T20:12:00.000Z' }
    const { user } = await renderApp({
      path: '/edition/11-20-26-10AM',
      site: fakeSite({ editions: { '11-20-26-10AM': [{ ...harbour, language: 'he', correction }] } }),
    })
    await user.click(await title('Harbour opens'))
    const line = screen.getByText(/^Corrected at/)
    expect([line.getAttribute('dir'), line.closest('[dir]')?.getAttribute('dir')]).toEqual([null, 'rtl'])
    expect(within(line).getByText(correction.note).tagName).toBe('BDI')
  })

  it('names its picture by the alt text, and crops it around the focal point', async () => {
    const memo = { ...harbour, media_alt: 'Boats on mud', media_focus: { x: 0.25, y: 1 } }
    const { user } = await renderApp({
      path: '/edition/11-20-26-10AM',
      site: fakeSite({ editions: { '11-20-26-10AM': [memo] } }),
    })
    await user.click(await title('Harbour opens'))
    const button = screen.getByRole('button', { name: 'Show the whole picture: Boats on mud' })
    const picture = within(button).getByRole('img', { name: 'Boats on mud' })
    expect(picture.style.objectPosition).toBe('25% 100%')
    await user.click(button)
    expect(within(screen.getByRole('dialog')).getByRole('img', { name: 'Boats on mud' })).toBeDefined()
  })

  it('whose picture fails to load keeps its caption, and tries again once online', async () => {
    const { user } = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await user.click(await title('Harbour opens'))
    fireEvent.error(within(pictureButton()).getByRole('presentation'))
    expect(screen.queryByRole('button', { name: 'Show the whole picture' })).toBeNull()
    expect(screen.getByText('The harbour at low tide')).toBeDefined()
    fireEvent.online(window)
    expect(pictureButton()).toBeDefined()
  })

  it('without a picture or source shows neither', async () => {
    const { user } = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await user.click(await title('Vaccine arrives'))
    expect(screen.queryByRole('img')).toBeNull()
    expect(screen.queryByRole('link', { name: /^Source/ })).toBeNull()
  })

  it('has its language and its own direction', async () => {
    // The first word of the title is in another script than its language.
    const memos = [wireMemo({ title: 'COP31 الميناء يفتح', language: 'ar' }), vaccine]
    await renderApp({
      path: '/edition/11-20-26-10AM',
      site: fakeSite({ editions: { '11-20-26-10AM': memos } }),
    })
    const arabic = (await title('COP31 الميناء يفتح')).closest('li')
    const other = (await title('Vaccine arrives')).closest('li')
    expect([arabic?.lang, arabic?.dir]).toEqual(['ar', 'rtl'])
    expect([other?.hasAttribute('lang'), other?.dir]).toEqual([false, 'auto'])
  })

  it('that was opened is marked as read', async () => {
    const first = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await first.user.click(await title('Harbour opens'))
    expect(window.localStorage.getItem('tidings:read')).toBe(JSON.stringify([harbour._id]))
    await first.user.click(await title('Harbour opens'))
    const read = screen.getByRole('button', { name: 'Harbour opens', description: 'Read' })
    expect(screen.queryByRole('button', { name: 'Vaccine arrives', description: 'Read' })).toBeNull()
    const row = read.closest('li')
    expect(row?.dataset.read).toBe('true')
    expect((await title('Vaccine arrives')).closest('li')?.dataset.read).toBe('false')
  })

  it('stays open when the reader leaves its edition and comes back', async () => {
    const { user, router } = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await user.click(await title('Harbour opens'))
    await user.click(screen.getByRole('link', { name: '© 2025' }))
    await screen.findByRole('heading', { name: 'Privacy Policy' })
    router.history.back()
    expect((await title('Harbour opens')).getAttribute('aria-expanded')).toBe('true')
    expect((await title('Vaccine arrives')).getAttribute('aria-expanded')).toBe('false')
  })

  it('stays open after a reload', async () => {
    const first = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await first.user.click(await title('Harbour opens'))
    cleanup()
    await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    expect((await title('Harbour opens')).getAttribute('aria-expanded')).toBe('true')
  })

  it.each([
    { opened: 'Harbour opens', top: 100, moved: 'nothing', expected: [] },
    { opened: 'Harbour opens', top: -10, moved: 'a title that is cut off', expected: ['H2'] },
    { opened: 'Vaccine arrives', top: 100, moved: 'the whole last memo', expected: ['LI'] },
  ])('moves $moved 200 ms after it is opened', async ({ opened, top, expected }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    vi.spyOn(HTMLHeadingElement.prototype, 'getBoundingClientRect').mockReturnValue(
      new DOMRect(0, top, 300, 28),
    )
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})
    const { user } = await renderApp({
      path: '/edition/11-20-26-10AM',
      site: site(),
      advanceTimers: vi.advanceTimersByTime,
    })
    const button = await title(opened)
    await user.click(button)
    vi.advanceTimersByTime(200)
    expect(scroll.mock.contexts).toEqual(expected.map((name) => button.closest(name)))
    expect(scroll.mock.calls).toEqual(expected.map(() => [{ block: 'nearest', behavior: 'smooth' }]))
  })

  it('enters 100 ms after the previous one', async () => {
    await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    const rows = [await title('Harbour opens'), await title('Vaccine arrives')].map((row) =>
      row.closest('li'),
    )
    expect(rows.map((row) => row?.style.animationDelay)).toEqual(['0ms', '100ms'])
  })
})

describe('Expand all and Simplify', () => {
  it('open and close every memo of a chosen edition', async () => {
    const { user } = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await user.click(await screen.findByRole('button', { name: 'Expand all' }))
    expect((await title('Harbour opens')).getAttribute('aria-expanded')).toBe('true')
    expect((await title('Vaccine arrives')).getAttribute('aria-expanded')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Simplify' }))
    expect((await title('Harbour opens')).getAttribute('aria-expanded')).toBe('false')
    expect((await title('Vaccine arrives')).getAttribute('aria-expanded')).toBe('false')
  })

  it('are not offered while no edition is chosen', async () => {
    await renderApp({ path: '/home', site: site() })
    await title('Harbour opens')
    expect(screen.queryByRole('button', { name: 'Expand all' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Simplify' })).toBeNull()
  })
})

describe('a like', () => {
  async function openHarbour() {
    const rendered = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await rendered.user.click(await title('Harbour opens'))
    const heart = within(await harbourRow()).getByRole('button', { name: /^Like/ })
    return { ...rendered, heart }
  }

  async function harbourRow() {
    const row = (await title('Harbour opens')).closest('li')
    if (row === null) throw new Error('The memo has no row')
    return row
  }

  it('raises the count, fills the heart and is stored on the device under the memo id', async () => {
    const { user, heart } = await openHarbour()
    expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes')
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 13 likes'))
    expect(heart.getAttribute('aria-pressed')).toBe('true')
    expect(window.localStorage.getItem(harbour._id)).toBe('added')
  })

  it('is removed by a second tap and added again by a third', async () => {
    const { user, heart } = await openHarbour()
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-pressed')).toBe('true'))
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes'))
    expect(window.localStorage.getItem(harbour._id)).toBe('origin')
    await user.click(heart)
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 13 likes'))
  })

  it('stored on the device shows a filled heart at once', async () => {
    window.localStorage.setItem(harbour._id, 'added')
    const { heart } = await openHarbour()
    expect(heart.getAttribute('aria-pressed')).toBe('true')
  })

  it('of another tab fills the heart and counts here, in memos that are still closed too', async () => {
    const { user, heart } = await openHarbour()
    function changeInOtherTab(key: string, oldValue: string | null, newValue: string) {
      window.localStorage.setItem(key, newValue)
      const change = { key, oldValue, newValue, storageArea: window.localStorage }
      act(() => void window.dispatchEvent(new StorageEvent('storage', change)))
    }
    changeInOtherTab(harbour._id, null, 'added')
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 13 likes'))
    expect(heart.getAttribute('aria-pressed')).toBe('true')
    changeInOtherTab(harbour._id, 'added', 'origin')
    await waitFor(() => expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes'))
    expect(heart.getAttribute('aria-pressed')).toBe('false')
    changeInOtherTab(vaccine._id, null, 'added')
    await user.click(await title('Vaccine arrives'))
    const other = await screen.findByRole('button', { name: 'Like, 2 likes' })
    expect(other.getAttribute('aria-pressed')).toBe('true')
  })

  it('that the server rejects changes nothing and shows an error', async () => {
    const { user, heart } = await openHarbour()
    apiServer.use(fake(likeMemo, () => errorResponse(500, 'unknown-error', 'Broken')))
    await user.click(heart)
    await screen.findByRole('alert')
    expect(heart.getAttribute('aria-label')).toBe('Like, 12 likes')
    expect(heart.getAttribute('aria-pressed')).toBe('false')
    expect(window.localStorage.getItem(harbour._id)).toBeNull()
  })

  it('count of one is in the singular', async () => {
    const { user } = await renderApp({ path: '/edition/11-20-26-10AM', site: site() })
    await user.click(await title('Vaccine arrives'))
    expect(screen.getByRole('button', { name: 'Like, 1 like' })).toBeDefined()
  })
})

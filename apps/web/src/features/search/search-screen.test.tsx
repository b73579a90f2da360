import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type SearchReply, type SearchResult, searchEditions, searchReply } from '@tidings/contracts/search'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { type RenderOptions, renderApp } from '#testing/render-app.tsx'

type Asked = { query: Record<string, string>; token: string | null; signal: AbortSignal }

function found(title: string, more: Partial<SearchResult> = {}): SearchResult {
  const text = [
    { text: 'The old ', match: false },
    { text: 'harbour', match: true },
    { text: ' opens.', match: false },
  ]
  const shared = {
    _id: wireMemo({ title })._id,
    date: '11-18-26',
    title: [{ text: title, match: false }],
    text,
  }
  return searchReply.shape.data.parse([{ kind: 'memo', time_stamp: '10AM', ...shared, ...more }])[0] ?? fail()
}

function fail(): never {
  throw new Error('There is no result.')
}

/** Opens the search against an API that replies from this function. */
async function openSearch(
  replyTo: (asked: Asked) => Partial<SearchReply> | Promise<Partial<SearchReply>> | Response,
  options: Partial<RenderOptions> = {},
) {
  const asked: Asked[] = []
  apiServer.use(
    fake(searchEditions, async ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      const call = { query, token: request.headers.get('Authorization'), signal: request.signal }
      asked.push(call)
      const reply = await replyTo(call)
      if (reply instanceof Response) return reply
      return { data: [], next: null, similar: false, ...reply }
    }),
  )
  const app = await renderApp({ path: '/search', ...options })
  const field = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Words to look for' })
  return { ...app, asked, field }
}

describe('the search', () => {
  it('explains itself before anything is typed', async () => {
    const { asked } = await openSearch(() => ({}))
    screen.getByRole('search')
    screen.getByText(/Finds memos of every edition\./)
    expect(screen.getByRole('group').hasAttribute('open')).toBe(false)
    expect(asked).toEqual([])
  })

  it('finds while the reader types, marks what matches and keeps the words in the address', async () => {
    const { user, field, router } = await openSearch(() => ({ data: [found('Harbour news')] }))
    await user.type(field, 'harbour')
    const link = await screen.findByRole('link', { name: 'Harbour news' })
    expect(link.getAttribute('href')).toMatch(/\/edition\/11-18-26-10AM$/)
    expect(screen.getByText('harbour').tagName).toBe('MARK')
    screen.getByText('November 18, 10AM')
    await waitFor(() =>
      expect(screen.getAllByRole('status').map((each) => each.textContent)).toContain('1 result'),
    )
    expect(router.state.location.search).toEqual({ q: 'harbour' })
    expect(router.history.length).toBe(1)
  })

  it('aborts the last request with each new word', async () => {
    const { user, field, asked } = await openSearch(({ query }) =>
      query.q === 'har' ? new Promise(() => {}) : { data: [found('Second')] },
    )
    await user.type(field, 'har')
    await waitFor(() => expect(asked).toHaveLength(1))
    await user.type(field, 'bour')
    await screen.findByRole('link', { name: 'Second' })
    expect(asked.map(({ query, signal }) => [query.q, signal.aborted])).toEqual([
      ['har', true],
      ['harbour', false],
    ])
  })

  it('searches at once on Enter', async () => {
    const { user, field, asked } = await openSearch(() => ({}))
    await user.type(field, 'x{Enter}')
    await waitFor(() => expect(asked.map(({ query }) => query.q)).toEqual(['x']))
  })

  it('starts with the words and days of the address, also with a number', async () => {
    const path = '/search?q=2026&from=2026-11-01&to=2026-11-20'
    const { field, asked } = await openSearch(() => ({ data: [found('Kept')] }), { path })
    expect(field.value).toBe('2026')
    await screen.findByRole('link', { name: 'Kept' })
    expect(screen.getByLabelText<HTMLInputElement>('First day').value).toBe('2026-11-01')
    expect(asked.at(-1)?.query).toEqual({ q: '2026', from: '11-01-26', to: '11-20-26' })
  })

  it('loads more results on request, and says how many there are', async () => {
    const { user } = await openSearch(
      ({ query }) =>
        query.after === undefined
          ? { data: [found('First')], next: 'c1' }
          : { data: [found('Second', { kind: 'article' })], next: null },
      { path: '/search?q=harbour' },
    )
    const status = async (text: string) => expect((await screen.findByText(text)).role).toBe('status')
    await status('1 result, and more')
    await user.click(screen.getByRole('button', { name: 'More results' }))
    const second = await screen.findByRole('link', { name: 'Second' })
    expect(second.getAttribute('href')).toContain('/viewgated/')
    screen.getByText('Article, November 18')
    await status('2 results')
    expect(screen.queryByRole('button', { name: 'More results' })).toBeNull()
  })

  it('says what to try when nothing is found, and clears the days', async () => {
    const { user, asked } = await openSearch(() => ({}), { path: '/search?q=zebra&from=2026-11-01' })
    expect((await screen.findByText(/Nothing found for/)).textContent).toContain('zebra')
    screen.getByText('Try fewer or other words, or check the spelling.')
    await user.click(screen.getByRole('button', { name: 'Search all days' }))
    await waitFor(() => expect(asked.at(-1)?.query).toEqual({ q: 'zebra' }))
  })

  it('names similar titles as what they are', async () => {
    await openSearch(() => ({ data: [found('Harbour')], similar: true }), { path: '/search?q=harbro' })
    await screen.findByText('Nothing matches exactly. These titles are similar:')
    expect((await screen.findByText('1 similar title')).role).toBe('status')
  })

  it('announces that words are missing, also when the field has the focus already', async () => {
    const { user, field } = await openSearch(() => ({}))
    await user.type(field, ' ')
    // Unlike browsers, user-event counts the days as fields that keep Enter from submitting.
    fireEvent.submit(screen.getByRole('search'))
    expect((await screen.findByRole('alert')).textContent).toBe('Enter words to look for.')
    expect(document.activeElement).toBe(field)
  })

  it('rejects a first day after the last one, without asking the server', async () => {
    const { user, asked } = await openSearch(() => ({}), { path: '/search?q=x&to=2026-11-01' })
    await waitFor(() => expect(asked).toHaveLength(1))
    await user.clear(screen.getByLabelText('First day'))
    fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2026-11-20' } })
    expect((await screen.findByRole('alert')).textContent).toBe('The first day is after the last one.')
    expect(screen.getByLabelText('First day').getAttribute('aria-invalid')).toBe('true')
    expect(asked).toHaveLength(1)
  })

  it('shows an error, and tries again', async () => {
    let isFailing = true
    const { user } = await openSearch(
      () => (isFailing ? errorResponse(429, 'service-busy', 'Busy.') : { data: [found('After all')] }),
      { path: '/search?q=x' },
    )
    expect((await screen.findByRole('alert')).textContent).toBe('Busy.')
    isFailing = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('link', { name: 'After all' })
  })

  it('sends the token of a member, and none for a visitor', async () => {
    const member = await openSearch(() => ({}), { path: '/search?q=x', isLoggedIn: true })
    await waitFor(() => expect(member.asked[0]?.token).toMatch(/^Bearer ./))
    expect(member.queryClient.getQueryCache().findAll({ queryKey: ['search'] })).toEqual([])
  })

  it('opens the memo in its edition, which back returns from', async () => {
    const site = fakeSite({
      editions: { '11-18-26-10AM': [wireMemo({ title: 'Another' }), wireMemo({ title: 'Wanted' })] },
    })
    const path = '/search?q=wanted'
    const { user, router } = await openSearch(() => ({ data: [found('Wanted')] }), { site, path })
    await user.click(await screen.findByRole('link', { name: 'Wanted' }))
    await screen.findByRole('button', { name: 'Wanted', expanded: true })
    screen.getByRole('button', { name: 'Another', expanded: false })
    router.history.back()
    const results = await screen.findByRole('region', { name: 'Results' })
    await within(results).findByRole('link', { name: 'Wanted' })
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('wanted')
  })
})

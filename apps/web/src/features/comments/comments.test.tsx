import { screen, waitFor, within } from '@testing-library/react'
import { wirePost } from '@tidings/client/testing/wire-samples'
import { createPost, listPosts, reportPost } from '@tidings/contracts/membership/comments'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite, wireMemo } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { wireArticle } from '#testing/fake-articles.ts'
import { type FakeComments, serveComments, wirePostOf } from '#testing/fake-comments.ts'
import { type RenderOptions, renderApp } from '#testing/render-app.tsx'

const key = '11-20-26-10AM'

/** Shows an edition with comments below it. */
async function renderEdition(given: Partial<FakeComments> = {}, options: Partial<RenderOptions> = {}) {
  const site = fakeSite({ editions: { [key]: [wireMemo({ title: 'A memo' })] } })
  const config = { editionComments: true, appPublicKey: 'pk_test' }
  const page = await renderApp({
    path: `/edition/${key}`,
    site,
    config,
    isLoggedIn: true,
    isIdle: true,
    ...options,
  })
  const comments = serveComments(given)
  return { ...page, comments, title: await screen.findByRole('button', { name: /^Comments/ }) }
}

/** Renders an edition as {@link renderEdition} does, and opens the comments. */
async function openComments(given?: Partial<FakeComments>, options?: Partial<RenderOptions>) {
  const page = await renderEdition(given, options)
  await page.user.click(page.title)
  return page
}

function commentOf(text: string) {
  const comment = screen.getByText(text).closest('article')
  if (comment === null) throw new Error(`'${text}' is in no comment`)
  return within(comment)
}

describe('the comments of an edition', () => {
  it('are not there unless the site wants them', async () => {
    const site = fakeSite({ editions: { [key]: [wireMemo({ title: 'A memo' })] } })
    await renderApp({ path: `/edition/${key}`, site, isIdle: true })
    await screen.findByRole('button', { name: 'A memo' })

    expect(site.calls).not.toContain('GET /comments/channels/info')
    expect(screen.queryByRole('button', { name: /^Comments/ })).toBeNull()
  })

  it('are closed until opened, and then newest first, older ones on demand', async () => {
    const posts = Array.from({ length: 25 }, (_, index) => wirePostOf(index + 1))
    const { user, title, site } = await renderEdition({ posts })
    await waitFor(() => expect(title.textContent).toBe('Comments (25)'))
    expect(title.getAttribute('aria-expanded')).toBe('false')
    expect(site.calls).not.toContain('GET /comments/posts')

    await user.click(title)
    await screen.findByText('Post 25')
    expect(screen.getAllByRole('article')).toHaveLength(20)
    await user.click(screen.getByRole('button', { name: 'Older comments' }))
    await screen.findByText('Post 1')
    expect(screen.queryByRole('button', { name: 'Older comments' })).toBeNull()

    await user.click(screen.getByRole('button', { name: 'Oldest first' }))
    await waitFor(() => expect(screen.getAllByRole('article')[0]?.textContent).toContain('Post 1'))
  })

  it('are written, edited and deleted by their member', async () => {
    const { user, comments, title } = await openComments()
    await screen.findByText('No comments yet.')
    const field = screen.getByLabelText('Write a comment')
    await user.click(screen.getByRole('button', { name: 'Post' }))
    expect(screen.getByText('Write something first.')).toBeDefined()

    await user.type(field, 'First words')
    await user.click(screen.getByRole('button', { name: 'Post' }))
    await screen.findByText('First words', { selector: '.prose' })
    expect(screen.getByText('Your comment was posted.')).toBeDefined()
    expect(title.textContent).toBe('Comments (1)')
    expect(comments.typed).toBe(1)

    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const edited = screen.getByLabelText('Edit your comment')
    expect(document.activeElement).toBe(edited)
    await user.clear(edited)
    await user.type(edited, 'Better words')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Better words')

    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(document.activeElement?.textContent).toBe('Keep')
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await screen.findByText('No comments yet.')
    await waitFor(() => expect(document.activeElement).toBe(title))
  })

  it.each([
    ['\u200b\u2060 \u00ad\ufeff', 'Write something first.'],
    ['\u2800\u3164', 'Write something first.'],
    ['x'.repeat(5001), 'Shorten your comment by 1 character.'],
  ])('are refused at their field when they are %j', async (pasted, problem) => {
    const { user, site } = await openComments()
    const field = await screen.findByLabelText<HTMLTextAreaElement>('Write a comment')
    await user.click(field)
    await user.paste(pasted)
    expect(field.value).toBe(pasted)
    await user.click(screen.getByRole('button', { name: 'Post' }))
    expect(document.activeElement).toBe(field)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const description = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')
    expect(description()?.textContent).toBe(problem)
    expect(site.calls).not.toContain('POST /comments/posts')

    await user.clear(field)
    await user.type(field, 'A')
    expect(field.getAttribute('aria-invalid')).toBe('false')
    expect(description()?.textContent).toBe('')
  })

  it('have replies and votes', async () => {
    const posts = [wirePostOf(1, { _count: { Threads: 1, likedBy: 3, dislikedBy: 1 } })]
    const { user } = await openComments({
      posts,
      threads: { cmt_1: [wirePostOf(2, { content: 'A reply' })] },
    })
    await screen.findByText('Post 1')

    await user.click(screen.getByRole('button', { name: '1 reply' }))
    await screen.findByText('A reply')
    await user.click(screen.getByRole('button', { name: 'Reply' }))
    await user.type(screen.getByLabelText('Write a reply'), 'Another')
    await user.click(screen.getAllByRole('button', { name: 'Reply' }).at(-1) ?? document.body)
    await screen.findByText('Another', { selector: '.prose' })
    await screen.findByRole('button', { name: '2 replies' })

    const like = commentOf('Post 1').getByRole('button', { name: 'Like (3)' })
    await user.click(like)
    await waitFor(() => expect(like.textContent).toBe('Like (4)'))
    expect(like.getAttribute('aria-pressed')).toBe('true')
    await user.click(like)
    await waitFor(() => expect(like.textContent).toBe('Like (3)'))
    expect(like.getAttribute('aria-pressed')).toBe('false')
  })

  it('are reported by other members, with a reason, by keyboard alone', async () => {
    const posts = [wirePostOf(1, { _count: { Threads: 1, likedBy: 0, dislikedBy: 0 } })]
    const { user, comments } = await openComments({
      posts,
      threads: { cmt_1: [wirePostOf(2, { content: 'A reply' })] },
    })
    await screen.findByText('Post 1')
    const button = commentOf('Post 1').getByRole('button', { name: 'Report' })
    button.focus()
    await user.keyboard('{Enter}')
    const field = screen.getByLabelText('Why should the editors look at it?')
    expect(document.activeElement).toBe(field)
    await user.keyboard('{Enter}')
    expect(screen.getByText('Say in a few words why.')).toBeDefined()
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Report'))
    await user.keyboard('{Enter}')
    await user.keyboard('advertising{Enter}')

    await screen.findByText('Thank you. The editors will look at it.')
    expect(comments.reports).toEqual({ cmt_1: 'advertising' })
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Reported'))
    await user.keyboard('{Enter}')
    expect(screen.queryByLabelText('Why should the editors look at it?')).toBeNull()

    await user.click(screen.getByRole('button', { name: '1 reply' }))
    await screen.findByText('A reply')
    await user.click(commentOf('A reply').getByRole('button', { name: 'Report' }))
    await user.keyboard('rude{Enter}')
    await waitFor(() => expect(comments.reports).toEqual({ cmt_1: 'advertising', cmt_2: 'rude' }))
  })

  it('are not reported by their own member, and a failed report keeps its reason', async () => {
    const posts = [wirePostOf(1), wirePostOf(2, { member: wirePost.member, content: 'My own' })]
    const { user } = await openComments({ posts })
    await screen.findByText('My own')
    apiServer.use(fake(reportPost, () => errorResponse(429, 'too-many-requests', 'Too many attempts.')))

    expect(commentOf('My own').queryByRole('button', { name: 'Report' })).toBeNull()
    await user.click(commentOf('Post 1').getByRole('button', { name: 'Report' }))
    await user.keyboard('advertising{Enter}')

    await screen.findByText('Too many attempts.')
    expect(screen.getByDisplayValue('advertising')).toBeDefined()
  })

  it('are only read by visitors, who find the way to log in', async () => {
    const posts = [wirePostOf(1, { _count: { Threads: 0, likedBy: 2, dislikedBy: 1 } })]
    const { user, router } = await openComments({ posts }, { isLoggedIn: false })
    await screen.findByText('2 likes, 1 dislike')

    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /Like|Reply|Edit|Delete|Report/ })).toBeNull()
    const section = within(screen.getByText('Post 1').closest('section') ?? document.body)
    await user.click(section.getByRole('link', { name: 'Log in' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/account/login'))
    expect(router.state.location.state.from).toBe(`/edition/${key}`)
  })

  it('show that another member is writing, and not the reader', async () => {
    const { sendFrame, sockets } = await openComments({ posts: [wirePostOf(1)] })
    await screen.findByText('Post 1')
    const channelKey = `edition:${key}`
    const typing = (id: string) => ({
      event: 'TYPING',
      data: { channelKey, member: { id, customFields: {}, profileImage: null } },
    })

    await sendFrame(typing(wirePost.member.id))
    expect(screen.queryByText('Someone is writing…')).toBeNull()
    await sendFrame(typing('mem_bea'))

    expect(screen.getByText('Someone is writing…')).toBeDefined()
    expect(sockets.opened.at(-1)).toBe(`/socket?channel=${encodeURIComponent(channelKey)}`)
  })

  it('keep what was written when sending fails', async () => {
    const { user } = await openComments()
    await user.type(await screen.findByLabelText('Write a comment'), 'Kept words')
    apiServer.use(fake(createPost, () => HttpResponse.error()))

    await user.click(screen.getByRole('button', { name: 'Post' }))

    await screen.findByText('We can’t reach the server. Check your connection and try again.')
    expect(screen.getByDisplayValue('Kept words')).toBeDefined()
  })

  it('say what went wrong, and load again', async () => {
    const { user, title } = await renderEdition({ posts: [wirePostOf(1)] })
    let isDown = true
    apiServer.use(
      fake(listPosts, () => (isDown ? errorResponse(500, 'unknown-error', 'An error occurred') : undefined)),
    )
    await user.click(title)
    await screen.findByText('An error occurred')
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))

    await screen.findByText('Post 1')
  })

  it('do not offer another try to members who may not read them', async () => {
    const { user, title } = await renderEdition()
    const text = 'Your plan doesn’t include this.'
    apiServer.use(fake(listPosts, () => errorResponse(403, 'access-denied', text)))
    await user.click(title)

    await screen.findByText(text)
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

describe('the comments of a gated article', () => {
  const article = wireArticle({ title: 'The Seed Vault' })
  const path = `/viewgated/${article._id}`

  it('are below it, for the members who may read it', async () => {
    const { sockets } = await openComments(
      { posts: [wirePostOf(1)] },
      { path, site: fakeSite({ articles: [article] }) },
    )
    await screen.findByText('Post 1')

    expect(sockets.opened.at(-1)).toBe(`/socket?channel=${encodeURIComponent(`article:${article._id}`)}`)
    expect(sockets.protocols).toEqual(['tidings', 'bearer.token-of-ada'])
  })

  it('are not below the wall that visitors see', async () => {
    const site = fakeSite({ articles: [article] })
    await renderApp({ path, site, isIdle: true })
    await screen.findByRole('main')

    expect(screen.queryByRole('button', { name: /^Comments/ })).toBeNull()
    expect(site.calls).not.toContain('GET /comments/channels/info')
  })
})

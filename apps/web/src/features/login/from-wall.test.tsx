import { screen, waitFor } from '@testing-library/react'
import { startCheckout } from '@tidings/contracts/membership/billing'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { wireArticle } from '#testing/fake-articles.ts'
import { fakeMembership } from '#testing/fake-membership.ts'
import { renderApp } from '#testing/render-app.tsx'

const article = wireArticle({ title: 'The Seed Vault' })
const path = `/viewgated/${article._id}`
const returns = {
  successUrl: `http://localhost:3000/#${path}?checkout=done`,
  cancelUrl: `http://localhost:3000/#${path}?checkout=canceled`,
}

async function renderWall(hasAccount: boolean) {
  const site = fakeSite({ articles: [article], membership: fakeMembership({ hasAccount }) })
  const app = await renderApp({ path, site })
  await screen.findByText(/This article is for members/)
  // As in a new tab, or where the dialog can't be loaded.
  const open = (to: string) => app.router.navigate({ to, state: { from: path } })
  return { ...app, open }
}

type Wall = Awaited<ReturnType<typeof renderWall>>

async function logIn({ user, open }: Wall) {
  await open('/account/login')
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Password'), 'a long password{Enter}')
}

async function signUp({ user, open }: Wall) {
  await open('/account/signup')
  await user.type(await screen.findByLabelText('Name'), 'Ada Reader')
  await user.type(screen.getByLabelText('Email'), 'ada@example.com')
  await user.type(screen.getByLabelText('Phone number'), '2133734253')
  await user.type(screen.getByLabelText('Password'), 'a long password{Enter}')
}

describe('the wall of an article', () => {
  it.each([
    ['a sign-up', signUp, false],
    ['a login without a plan', logIn, true],
  ])('is where the payment after %s returns to', async (_, act, hasAccount) => {
    const wall = await renderWall(hasAccount)
    await act(wall)
    await waitFor(() => expect(wall.services.openPage).toHaveBeenCalled())
    expect(wall.site.membership.checkouts).toEqual([expect.objectContaining(returns)])
  })

  it('is where a sign-up leads that finds a plan', async () => {
    const wall = await renderWall(false)
    apiServer.use(fake(startCheckout, () => errorResponse(409, 'already-have-plan', 'You have it.')))
    await signUp(wall)
    expect(await screen.findByText('The body of The Seed Vault.')).toBeDefined()
  })

  it.each(['/account/signup', '/account/login'])('is one step back from %s', async (screenPath) => {
    const wall = await renderWall(false)
    await wall.open(screenPath)
    const back = await screen.findByRole('link', { name: 'Go back' })
    expect(back.getAttribute('href')).toBe(path)
  })
})

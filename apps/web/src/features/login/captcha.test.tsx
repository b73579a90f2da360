import { screen, waitFor } from '@testing-library/react'
import { wireApp } from '@tidings/client/testing/wire-samples'
import { captchaChallenge, signUp } from '@tidings/contracts/membership/auth'
import { getApp } from '@tidings/contracts/membership/widget-config'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { apiServer, fakeSite } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { fakeMembership, wirePaidPlan } from '#testing/fake-membership.ts'
import { renderApp } from '#testing/render-app.tsx'

const counter = 3
const tokenSchema = z.object({ solution: z.object({ counter: z.number() }) })

const servesChallenges = () =>
  fake(captchaChallenge, async () => {
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 1,
      counter,
      deriveKey,
      data: { expiresAt: 1_800_000_000 },
      hmacSignatureSecret: 'a secret of the challenges',
      hmacKeySignatureSecret: 'a secret of the solutions',
    })
    return { ...challenge }
  })

/** Renders the sign-up of an app that asks for a captcha, and collects the tokens that it sends. */
async function renderSignUp() {
  const membership = fakeMembership({ hasAccount: false })
  const tokens: string[] = []
  const app = {
    ...wireApp(),
    plans: [wirePaidPlan('monthly', 9)],
    captchaRequired: true,
    captcha: { kind: 'altcha', siteKey: null },
  }
  const page = await renderApp({ path: '/footer', site: fakeSite({ membership }) })
  apiServer.use(
    fake(getApp, () => ({ data: app })),
    servesChallenges(),
    fake(signUp, ({ body: { captchaToken } }) => {
      tokens.push(captchaToken ?? '')
      if (tokens.length === 1)
        return errorResponse(400, 'invalid-email', 'Please enter a valid email address')
    }),
  )
  await page.router.navigate({ to: '/account/signup' })
  const { user } = page
  async function fill() {
    await user.type(await screen.findByLabelText('Name'), 'Ada Reader')
    await user.type(screen.getByLabelText('Email'), 'ada@example.com')
    await user.type(screen.getByLabelText('Phone number'), '2133734253')
    await user.type(screen.getByLabelText('Password'), 'a long password')
  }
  return { ...page, tokens, fill, submit: () => user.click(screen.getByRole('button', { name: 'Submit' })) }
}

describe('the captcha of the sign-up', () => {
  it('is solved without a question, once for each attempt', async () => {
    const { fill, submit, tokens, services } = await renderSignUp()
    await fill()
    await submit()
    await waitFor(() => expect(screen.getAllByText('Please enter a valid email address')).toHaveLength(2))
    await submit()
    await waitFor(() => expect(services.openPage).toHaveBeenCalled())
    expect(new Set(tokens).size).toBe(2)
    for (const token of tokens)
      expect(tokenSchema.parse(JSON.parse(atob(token))).solution.counter).toBe(counter)
  })

  it('is tried again after no challenge arrived', async () => {
    const { fill, submit, tokens } = await renderSignUp()
    apiServer.use(fake(captchaChallenge, () => HttpResponse.error()))
    await fill()
    await submit()
    await screen.findByText('The security check couldn’t be loaded. Check your connection and try again.')
    expect(tokens).toEqual([])
    apiServer.use(servesChallenges())
    await submit()
    await waitFor(() => expect(tokens).toHaveLength(1))
  })
})

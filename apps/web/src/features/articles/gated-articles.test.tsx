import { screen, waitFor } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { listGatedArticles } from '@tidings/contracts/articles'
import { getApp } from '@tidings/contracts/membership/widget-config'
import { HttpResponse } from 'msw/http'
import { describe, expect, it } from 'vitest'
import { apiServer, fakeSite } from '#testing/api-handlers.ts'
import { fake } from '#testing/fake.ts'
import { wireArticle } from '#testing/fake-articles.ts'
import { checkoutPage, fakeMembership, wirePlanConnection } from '#testing/fake-membership.ts'
import { renderApp } from '#testing/render-app.tsx'

const open = wireArticle({
  title: 'The Seed Vault',
  media: 'vault.jpg',
  media_title: 'The entrance in winter',
  memo_content: '<p>Deep in the ice.</p>',
})
const yearly = wireArticle({
  _id: '0199a1f4-2222-7abc-8def-0123456789ab',
  title: 'The Long Year',
  language: 'en-GB',
  plans: ['pln_yearly-test'],
})
const openPath = `/viewgated/${open._id}`
const yearlyPath = `/viewgated/${yearly._id}`
const articles = [yearly, open]

function memberWith(...kinds: ('monthly' | 'yearly')[]) {
  return fakeMembership({
    member: wireMember({ planConnections: kinds.map((kind) => wirePlanConnection(kind)) }),
  })
}

describe('the gated list', () => {
  it('leads to each article, and out', async () => {
    const { user, router } = await renderApp({
      path: '/gated',
      isLoggedIn: true,
      site: fakeSite({ articles }),
    })
    const title = await screen.findByRole('link', { name: 'The Long Year' })
    expect(title.closest('li')?.lang).toBe('en-GB')
    expect(screen.getByRole('link', { name: 'Exit gated' }).getAttribute('href')).toBe('/home')
    await user.click(screen.getByRole('link', { name: 'The Seed Vault' }))
    expect(await screen.findByText('Deep in the ice.')).toBeTruthy()
    expect(router.state.location.pathname).toBe(openPath)
  })

  it('says that there are none', async () => {
    await renderApp({ path: '/gated', isLoggedIn: true })
    expect(await screen.findByText('There are no gated articles yet.')).toBeTruthy()
  })

  it('says that the device is offline, and tries again', async () => {
    const { router, user } = await renderApp({
      path: '/footer',
      isLoggedIn: true,
      site: fakeSite({ articles }),
    })
    apiServer.use(fake(listGatedArticles, () => HttpResponse.error()))
    void router.navigate({ to: '/gated' })
    expect(await screen.findByText('You’re offline, and the list isn’t on this device.')).toBeTruthy()
    apiServer.resetHandlers()
    apiServer.use(fake(listGatedArticles, () => ({ data: [] })))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('There are no gated articles yet.')).toBeTruthy()
  })
})

describe('a gated article', () => {
  it('shows its title, picture, caption and text to a member, with their links', async () => {
    await renderApp({ path: openPath, isLoggedIn: true, site: fakeSite({ articles }) })
    expect(await screen.findByRole('heading', { name: 'The Seed Vault' })).toBeTruthy()
    expect(screen.getByText('The entrance in winter')).toBeTruthy()
    expect(screen.getByText('Deep in the ice.')).toBeTruthy()
    const picture = screen.getByRole('button', { name: 'Show the whole picture' }).querySelector('img')
    expect(picture?.getAttribute('src')).toBe('/gated/vault.jpg?w=720')
    const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    expect(links).toEqual([
      ['Account', '/account/dashboard'],
      ['View memos', '/home'],
      ['Go back', '/gated'],
    ])
  })

  it('shows a wall to a visitor, whose links lead to the screens where no dialog can be loaded', async () => {
    const { site, user, router } = await renderApp({ path: '/footer', site: fakeSite({ articles }) })
    apiServer.use(fake(getApp, () => HttpResponse.error()))
    await router.navigate({ to: openPath })
    expect(await screen.findByText(/This article is for members/)).toBeTruthy()
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Sign up',
      'Log in',
      'View memos',
    ])
    expect(site.calls.filter((call) => call.includes('gated'))).toEqual([])
    await user.click(screen.getByRole('link', { name: 'Log in' }))
    await waitFor(() => expect(router.state.location.state.from).toBe(openPath))
    expect(router.state.location.pathname).toBe('/account/login')
  })

  it('says that it does not exist', async () => {
    await renderApp({ path: '/viewgated/unknown', isLoggedIn: true })
    expect(await screen.findByText('This article doesn’t exist, or it was withdrawn.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe('/gated')
  })

  it('names the plan that opens it, and starts its checkout', async () => {
    const site = fakeSite({ articles })
    const { user, services } = await renderApp({ path: yearlyPath, isLoggedIn: true, site })
    expect(await screen.findByRole('heading', { name: 'The Long Year' })).toBeTruthy()
    expect(screen.getByText('This article comes with the Yearly plan.')).toBeTruthy()
    expect(screen.getByText(/\$90\.00 a year/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Get the Yearly plan' }))
    await waitFor(() => expect(services.openPage).toHaveBeenCalledWith(checkoutPage))
    expect(site.membership.checkouts[0]).toMatchObject({
      priceId: 'prc_yearly-plan-test',
      successUrl: expect.stringContaining(`/#${yearlyPath}?checkout=done`),
      cancelUrl: expect.stringContaining(`/#${yearlyPath}?checkout=canceled`),
    })
  })

  it('leads a member with another paid plan to the change of plan, and back', async () => {
    const customFields = { name: 'Ada', phone: '+12133734253' }
    const member = wireMember({ customFields, planConnections: [wirePlanConnection('monthly')] })
    const site = fakeSite({ articles, membership: fakeMembership({ member }) })
    const { user, router } = await renderApp({ path: yearlyPath, isLoggedIn: true, site })
    const link = await screen.findByRole('link', { name: 'Change to the Yearly plan' })
    expect(link.getAttribute('href')).toBe('/account/change-plan')
    expect(screen.getByText(/You have the Monthly plan/)).toBeTruthy()
    await user.click(link)
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: /Yearly/ })).checked).toBe(true)
    expect(screen.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe(yearlyPath)
    await user.click(await screen.findByRole('button', { name: 'Update' }))
    await user.click(await screen.findByRole('button', { name: /and change plan/ }))
    await screen.findByText(/Yearly has started/)
    expect(router.state.location.pathname).toBe(yearlyPath)
  })

  it.each([
    ['for all members', openPath, 'Deep in the ice.'],
    ['of the plan', yearlyPath, 'The body of The Long Year.'],
  ])('%s thanks for the payment, and has its own address again', async (_, path, text) => {
    const site = fakeSite({ articles, membership: memberWith('yearly') })
    const { router } = await renderApp({ path: `${path}?checkout=done`, isLoggedIn: true, site })
    expect(await screen.findByText('Thank you. Your Yearly plan is active.')).toBeTruthy()
    expect(await screen.findByText(text)).toBeTruthy()
    expect(router.state.location.href).toBe(path)
  })

  it('names its plan after a payment for another one', async () => {
    const site = fakeSite({ articles, membership: memberWith('monthly') })
    const { router } = await renderApp({ path: `${yearlyPath}?checkout=done`, isLoggedIn: true, site })
    expect(await screen.findByText('Thank you. Your Monthly plan is active.')).toBeTruthy()
    expect(await screen.findByText(/You have the Monthly plan/)).toBeTruthy()
    expect(router.state.location.href).toBe(yearlyPath)
  })

  it('waits for a plan that the payment has not brought yet', async () => {
    const site = fakeSite({ articles, membership: memberWith() })
    await renderApp({ path: `${yearlyPath}?checkout=done`, isLoggedIn: true, site })
    expect(await screen.findByText(/Your payment went through/)).toBeTruthy()
  })

  it('opens after a canceled payment where it needs none', async () => {
    const { router } = await renderApp({
      path: `${openPath}?checkout=canceled`,
      isLoggedIn: true,
      site: fakeSite({ articles }),
    })
    expect(await screen.findByText('Deep in the ice.')).toBeTruthy()
    await waitFor(() => expect(router.state.location.href).toBe(openPath))
  })

  it('opens to a member with its plan', async () => {
    const site = fakeSite({ articles, membership: memberWith('yearly') })
    await renderApp({ path: yearlyPath, isLoggedIn: true, site })
    expect(await screen.findByText('The body of The Long Year.')).toBeTruthy()
  })
})

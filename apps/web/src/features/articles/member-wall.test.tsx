import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '#testing/render-app.tsx'

it('the wall of an article names the price below Sign up, and leads to the memos', async () => {
  await renderApp({ path: '/viewgated/any' })
  expect(await screen.findByText(/^\$.+You can cancel at any time\.$/)).toBeDefined()
  expect(screen.getByRole('link', { name: 'View memos' }).getAttribute('href')).toMatch(/\/home$/)
})

import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw/http'
import { expect, it } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { renderApp } from '#testing/render-app.tsx'

it.each(['/account/dashboard', '/account/change-plan', '/changepassword'])(
  '%s leads to the memos also when the member can’t be loaded',
  async (path) => {
    await renderApp({ path, isLoggedIn: true, offline: true })
    apiServer.use(http.all('*', () => HttpResponse.error()))
    const link = await screen.findByRole('link', { name: 'View memos' })
    expect(link.getAttribute('href')).toMatch(/\/home$/)
  },
)

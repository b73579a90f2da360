import { Link, useLocation } from '@tanstack/react-router'
import { Screen } from '#components/screen.tsx'

/** What a visitor finds in place of an article, without a word of it. */
export function MemberWall() {
  const { pathname } = useLocation()
  return (
    <Screen title="For members" className="gated-article article-wall">
      <h1>For members</h1>
      <p className="wall-text">
        This article is for members. Sign up to read it, or log in if you have an account.
      </p>
      <nav className="wall-actions" aria-label="Account">
        <Link to="/account/signup" className="button" state={(before) => ({ ...before, from: pathname })}>
          Sign up
        </Link>
        <Link to="/account/login" state={(before) => ({ ...before, from: pathname })}>
          Log in
        </Link>
      </nav>
    </Screen>
  )
}

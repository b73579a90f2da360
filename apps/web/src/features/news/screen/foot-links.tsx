import { Link } from '@tanstack/react-router'
import { LogOutButton } from '#components/log-out-button.tsx'
import { useIsLoggedIn } from '#lib/member/use-session.ts'

/** The links below the memos: a member's own, or those to become one. */
export function FootLinks() {
  const isLoggedIn = useIsLoggedIn()
  return (
    <footer className="foot-links">
      <Link to="/search">Search</Link>
      {isLoggedIn ? (
        <>
          <Link to="/archive">Archive</Link>
          <Link to="/account/dashboard">Account</Link>
          <LogOutButton />
        </>
      ) : (
        <>
          <Link to="/account/signup">Sign up</Link>
          <Link to="/account/login">Log in</Link>
          <Link to="/footer">© 2025</Link>
        </>
      )}
    </footer>
  )
}

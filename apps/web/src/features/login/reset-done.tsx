import { Link, useLocation } from '@tanstack/react-router'

/** The end of a reset: says in the server's words that the new password works, and leads to the login. */
export function ResetDone({ message }: { message: string }) {
  const { codeSentTo: email = '', from } = useLocation().state
  return (
    <>
      <h1>Password changed</h1>
      <p className="form-purpose">{message}</p>
      <div className="form">
        <Link
          to="/account/login"
          className="button"
          state={{ email, ...(from === undefined ? {} : { from }) }}
        >
          Log in
        </Link>
      </div>
    </>
  )
}

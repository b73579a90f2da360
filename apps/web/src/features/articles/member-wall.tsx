import { DialogLink } from '#components/dialogs/dialog-link.tsx'
import { Screen } from '#components/screen.tsx'

/** What a visitor finds in place of an article, without a word of it. */
export function MemberWall() {
  return (
    <Screen title="For members" className="gated-article article-wall">
      <h1>For members</h1>
      <p className="wall-text">
        This article is for members. Sign up to read it, or log in if you have an account.
      </p>
      <nav className="wall-actions" aria-label="Account">
        <DialogLink type="SIGNUP" text="Sign up" className="button" />
        <DialogLink type="LOGIN" text="Log in" />
      </nav>
    </Screen>
  )
}

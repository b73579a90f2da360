import { Link } from '@tanstack/react-router'
import { Screen } from '#components/screen.tsx'
import { useServices } from '#lib/services/services.tsx'
import { About } from './about.tsx'
import { legalNames } from './legal-names.ts'
import { showSection } from './legal-section.tsx'
import { PrivacyPolicy } from './privacy-policy.tsx'
import { CaliforniaNotice, EuropeanUnionNotice } from './regional-notices.tsx'
import { TermsAndConditions } from './terms-and-conditions.tsx'
import { TermsOfUse } from './terms-of-use.tsx'

const contents = [
  { id: 'terms-and-conditions', title: 'Terms and Conditions' },
  { id: 'terms-of-use', title: 'Terms of Use' },
  { id: 'privacy-policy', title: 'Privacy Policy' },
  { id: 'california', title: 'For consumers in California' },
  { id: 'european-union', title: 'Data protection in the European Union' },
] as const

/** The legal and about page. */
export function LegalScreen() {
  const { config } = useServices()
  const names = legalNames(config)
  return (
    <Screen title="About and legal" className="legal">
      <h1>{names.site}</h1>
      <p className="legal-note">© 2025 {names.company}. All rights reserved.</p>
      <nav aria-label="On this page">
        <ul className="legal-contents">
          {contents.map(({ id, title }) => (
            <li key={id}>
              <button type="button" onClick={() => showSection(id)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <About names={names} />
      <TermsAndConditions names={names} />
      <TermsOfUse names={names} />
      <PrivacyPolicy names={names} />
      <CaliforniaNotice names={names} />
      <EuropeanUnionNotice names={names} />
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">Back to Home</Link>
      </nav>
    </Screen>
  )
}

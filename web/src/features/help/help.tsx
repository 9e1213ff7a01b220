import { Link } from '@tanstack/react-router'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useRates } from '@/api/rates'
import { graders } from '@/components/certificate'
import { percentOf } from '@/components/fee'
import { useLanguage } from '@/i18n'
import { config, terms } from '@/lib/config'
import { countryName, dollars, list, number, points } from '@/lib/format'
import { Skeleton } from '@/components/ui/skeleton'
import { helpTexts } from './texts'

/** Ten questions with their answers. Figures come from the house rules, the fees and the server's terms. */
export function Help() {
  return useHydrated() ? <Answers /> : <Skeleton className="h-[60rem] rounded-2xl" />
}

function Answers() {
  const t = helpTexts.useT()
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Answer id="points" title={t.points.question} sentences={usePoints()} links={[['/topup', t.points.link]]} />
      <Answer id="fees" title={t.fees.question} sentences={useFees()} links={[['/open-packs', t.fees.link]]} />
      <Answer
        id="fairness"
        title={t.fairness.question}
        sentences={[t.fairness.text]}
        links={[
          ['/fairness', t.fairness.link],
          ['/verify', t.fairness.verify],
        ]}
      />
      <Answer id="rules" title={t.rules.question} sentences={useRules()} links={[['/rules', t.rules.link]]} />
      <Answer
        id="shipping"
        title={t.shipping.question}
        sentences={useShipping()}
        links={[['/claims', t.shipping.link]]}
      />
      <Answer id="refunds" title={t.refunds.question} sentences={useRefunds()} links={[['/balance', t.refunds.link]]} />
      <Answer
        id="grading"
        title={t.grading.question}
        sentences={useGrading()}
        links={[['/open-packs', t.grading.link]]}
      />
      <Answer id="limits" title={t.limits.question} sentences={[t.limits.text]} links={[['/limits', t.limits.link]]} />
      <Answer
        id="privacy"
        title={t.privacy.question}
        sentences={[t.privacy.text, t.privacy.log, t.privacy.account]}
        links={[['/account', t.privacy.link]]}
      />
      <Support />
    </div>
  )
}

/** False while pre-rendered pages are hydrated: they know nothing of this installation's figures. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}

/** Paths of pages without parameters. */
type PagePath =
  | '/account'
  | '/balance'
  | '/claims'
  | '/fairness'
  | '/limits'
  | '/my-opens'
  | '/open-packs'
  | '/rules'
  | '/topup'
  | '/verify'

interface AnswerProps {
  /** For links to a single answer. */
  id: string
  title: string
  sentences: readonly (string | false | undefined)[]
  links?: readonly (readonly [PagePath, string])[]
  children?: ReactNode
}

const linkClass = 'rounded-sm text-gold-text underline underline-offset-4'

function Answer({ id, title, sentences, links = [], children }: AnswerProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="panel h-full scroll-mt-6 rounded-2xl p-6">
      <h2 id={`${id}-title`} className="font-semibold">
        {title}
      </h2>
      <div className="mt-2 space-y-2 text-sm leading-relaxed text-pretty text-muted-foreground">
        {sentences.map((sentence) => sentence && <p key={sentence}>{sentence}</p>)}
      </div>
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {children}
        {links.map(([to, text]) => (
          <Link key={text} to={to} className={linkClass}>
            {text}
          </Link>
        ))}
      </p>
    </section>
  )
}

function usePoints() {
  const t = helpTexts.useT().points
  const [least, most] = [terms.leastDeposit, terms.mostDeposit].map((amount) => points(amount * 100, 0))
  return [t.text, t.cashOut, config.sandbox ? t.sandbox : t.topUp(least!, most!)]
}

function useFees() {
  const t = helpTexts.useT().fees
  const { listing, bid, counter } = useRates()
  const { market, sellBack } = config.rules
  return [
    t.text,
    sellBack && t.sellBack(terms.sellBackPercent),
    market && t.selling(percentOf(listing), percentOf(bid), percentOf(counter)),
    market && t.notice(terms.ratesNoticeHours),
  ]
}

function useRules() {
  const t = helpTexts.useT().rules
  const { rules } = config
  return [
    t.text,
    rules.minimumAge > 0 && t.age(rules.minimumAge),
    rules.guardianBelow > 0 && t.guardian(rules.guardianBelow),
    rules.highestPackCents > 0 && t.price(dollars(rules.highestPackCents)),
    rules.opensDay > 0 && t.opens(number(rules.opensDay)),
    rules.spentDayCents > 0 && t.spent(dollars(rules.spentDayCents)),
    rules.secondsBetween > 0 && t.between(rules.secondsBetween),
    rules.market ? t.market : t.noMarket,
  ]
}

function useShipping() {
  const t = helpTexts.useT().shipping
  const language = useLanguage()
  const { countries } = config.rules
  const names = countries.map((code) => countryName(code, language))
  return [
    t.text,
    countries.length === 0 ? t.everywhere : t.countries(list(names, language)),
    config.sandbox ? t.sandbox : t.finite,
  ]
}

function useRefunds() {
  const t = helpTexts.useT().refunds
  return [t.text, config.rules.sellBack && t.sellBack(terms.sellBackPercent), t.parcels, t.payments]
}

function useGrading() {
  const t = helpTexts.useT().grading
  const language = useLanguage()
  return [t.text(list(graders, language), terms.leastGrade, terms.mostGrade), config.sandbox && t.sample]
}

function Support() {
  const t = helpTexts.useT().support
  const { chat, social } = config
  const how = chat ? t.chat : social ? t.social : t.none
  return (
    <Answer id="support" title={t.question} sentences={[how, t.text]} links={[['/my-opens', t.link]]}>
      {chat && <OutLink href={chat} text={t.chatLink} />}
      {social && <OutLink href={social} text={t.socialLink} />}
    </Answer>
  )
}

function OutLink({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
      {text}
    </a>
  )
}

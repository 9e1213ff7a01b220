import { Link } from '@tanstack/react-router'
import { useLanguage } from '@/i18n'
import { config, terms } from '@/lib/config'
import { countryName, dollars, number } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { houserulesTexts } from './texts'

/** The rules in the server's configuration. */
export function Rules() {
  const t = houserulesTexts.useT()
  const language = useLanguage()
  const r = config.rules
  const money = (cents: number) => (cents === 0 ? t.none : t.atMost(dollars(cents)))
  const age = r.minimumAge === 0 ? t.ageNone : t.ageAtLeast(r.minimumAge)
  return (
    <>
      <section className="panel rounded-2xl px-6 py-5">
        <Facts
          className="space-y-4"
          facts={[
            {
              label: t.age,
              value: r.guardianBelow > 0 ? t.guardian(age, r.guardianBelow) : age,
            },
            {
              label: t.countries,
              value:
                r.countries.length === 0
                  ? t.countriesAll
                  : t.countriesOnly(r.countries.map((code) => countryName(code, language)).join(', ')),
            },
            { label: t.price, value: money(r.highestPackCents) },
            { label: t.spent, value: money(r.spentDayCents) },
            { label: t.opens, value: r.opensDay === 0 ? t.none : t.atMost(number(r.opensDay)) },
            {
              label: t.between,
              value: r.secondsBetween === 0 ? t.none : t.seconds(r.secondsBetween),
            },
            { label: t.market, value: r.market ? t.marketOn : t.marketOff },
            {
              label: t.sellBack,
              value: r.sellBack ? t.sellBackOn(terms.sellBackPercent) : t.sellBackOff,
            },
            { label: t.celebrate, value: r.celebrateLosses ? t.celebrateAll : t.celebrateWins },
            { label: t.points, value: t.pointsText },
          ]}
        />
      </section>
      <p className="mt-6 text-sm">
        <span>{t.own}</span>{' '}
        <Link to="/limits" className="font-medium text-gold-text hover:underline">
          {t.toLimits}
        </Link>
      </p>
    </>
  )
}

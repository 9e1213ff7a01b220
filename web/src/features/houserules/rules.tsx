import { Link } from '@tanstack/react-router'
import { useLanguage } from '@/i18n'
import { config, terms } from '@/lib/config'
import { countryName, dollars, list, number } from '@/lib/format'
import { Facts } from '@/components/ui/facts'
import { houserulesTexts } from './texts'

/** The rules in the server's configuration. */
export function Rules() {
  const t = houserulesTexts.useT()
  const language = useLanguage()
  const { rules } = config
  const countries = rules.countries.map((code) => countryName(code, language))
  const money = (cents: number) => (cents === 0 ? t.none : t.atMost(dollars(cents)))
  const age = rules.minimumAge === 0 ? t.ageNone : t.ageAtLeast(rules.minimumAge)
  return (
    <>
      <section className="panel rounded-2xl px-6 py-5">
        <Facts
          className="space-y-4"
          facts={[
            {
              label: t.age,
              value: rules.guardianBelow > 0 ? t.guardian(age, rules.guardianBelow) : age,
            },
            {
              label: t.countries,
              value: countries.length === 0 ? t.countriesAll : t.countriesOnly(list(countries, language)),
            },
            { label: t.price, value: money(rules.highestPackCents) },
            { label: t.spent, value: money(rules.spentDayCents) },
            { label: t.opens, value: rules.opensDay === 0 ? t.none : t.atMost(number(rules.opensDay)) },
            {
              label: t.between,
              value: rules.secondsBetween === 0 ? t.none : t.seconds(rules.secondsBetween),
            },
            { label: t.gifts, value: rules.market ? money(rules.giftsDayCents) : t.giftsOff },
            { label: t.market, value: rules.market ? t.marketOn : t.marketOff },
            {
              label: t.sellBack,
              value: rules.sellBack ? t.sellBackOn(terms.sellBackPercent) : t.sellBackOff,
            },
            { label: t.celebrate, value: rules.celebrateLosses ? t.celebrateAll : t.celebrateWins },
            { label: t.demo, value: t.demoBy[rules.demo] },
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

import { useT } from '@/i18n'
import { saveAge } from '@/lib/age'
import { config } from '@/lib/config'
import { Button } from '@/components/ui/button'

/** Asks for the age that the house's rules want, before a wallet signs. The answer is kept on the server, too. */
export function AgeQuestion({ answered }: { answered: () => void }) {
  const t = useT().identity.age
  const { minimumAge, guardianBelow } = config.rules
  const grown = Math.max(minimumAge, guardianBelow)
  const say = (confirmedAge: number, guardianConsents: boolean) => () => {
    saveAge({ confirmedAge, guardianConsents })
    answered()
  }
  return (
    <div className="space-y-3">
      <p className="text-sm">{t.question}</p>
      <Button className="w-full" onClick={say(grown, false)}>
        {t.grown(grown)}
      </Button>
      {guardianBelow > minimumAge && (
        <Button variant="secondary" className="h-auto w-full py-2 whitespace-normal" onClick={say(minimumAge, true)}>
          {t.guardian(minimumAge)}
        </Button>
      )}
    </div>
  )
}

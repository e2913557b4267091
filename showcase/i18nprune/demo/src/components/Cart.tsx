import { Trans, useTranslation } from 'react-i18next';

type Item = { id: string; name: string; price: number };

export function Cart({ items }: { items: Item[] }) {
  const { t } = useTranslation();
  if (items.length === 0) {
    return <p className="empty">{t('cart.empty')}</p>;
  }
  return (
    <section aria-label={t('cart.label')}>
      {/* It's sorted by the server. */}
      <h2>{t('cart.items', { count: items.length })}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            {item.name} – {item.price < 10 ? t('cart.cheap') : t('cart.regular')}
          </li>
        ))}
      </ul>
      <Trans i18nKey="cart.terms">
        By ordering you accept our <a href="/terms">terms</a>.
      </Trans>
    </section>
  );
}

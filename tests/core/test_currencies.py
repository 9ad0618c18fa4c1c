"""Money is known by its name in eleven languages, by its sign and by its code."""

import pytest

from botpsy_core.domain.currencies import currencies_in


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("from British pounds to Japanese yen", {"GBP", "JPY"}),
        ("us_dollars", {"USD"}),
        ("500 Canadian dollars", {"CAD"}),
        ("100 Schweizer Franken in Euro", {"CHF", "EUR"}),
        ("cien dólares en pesos mexicanos", {"USD", "MXN"}),
        ("deux cents couronnes suédoises", {"SEK"}),
        ("duzentos reais", {"BRL"}),
        ("cento dollari australiani", {"AUD"}),
        ("tien Deense kronen", {"DKK"}),
        ("sto złotych", {"PLN"}),
        ("сто швейцарских франков в рубли", {"CHF", "RUB"}),
        ("把200欧元换成加元", {"EUR", "CAD"}),
        ("500 रुपये को डॉलर में", {"INR", "USD"}),
        ("$20 or £15", {"USD", "GBP"}),
        ("usd", {"USD"}),
        ("a Bavarian beer of Danish hops", set()),
        ("a hundred kroner", set()),
    ],
)
def test_money_is_read_by_its_name(text, codes):
    assert currencies_in(text) == codes

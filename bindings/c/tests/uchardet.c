/* Tests of uchardet's functions, as mpv and editors call them. */
#include "uchardet.h"
#include "check.h"

#include <iconv.h>
#include <stdio.h>
#include <string.h>

/* The answer on text that is UTF-8 here and goes through iconv; `mark` is put before it. */
static const char *answer(uchardet_t ud, const char *text, const char *encoding, const char *mark) {
    char bytes[4096], *in = (char *)(size_t)text, *out = bytes + strlen(mark);
    size_t left = strlen(text), space = sizeof bytes - strlen(mark), at, length;
    iconv_t cd = iconv_open(encoding, "UTF-8");
    memcpy(bytes, mark, strlen(mark));
    CHECK(cd != (iconv_t)-1 && iconv(cd, &in, &left, &out, &space) == 0);
    iconv(cd, NULL, NULL, &out, &space);
    iconv_close(cd);
    length = (size_t)(out - bytes);
    uchardet_reset(ud);
    for (at = 0; at < length; at += 7) CHECK(uchardet_handle_data(ud, bytes + at, length - at < 7 ? length - at : 7) == 0);
    uchardet_data_end(ud);
    return uchardet_get_charset(ud);
}

int main(void) {
    static const char russian[] = "Привет, мир! Это обычный текст на русском языке, в котором достаточно букв для статистики.";
    static const char japanese[] = "これは日本語の文章です。文字コードを判定するために、漢字とかなが十分に入っています。";
    static const char korean[] = "안녕하세요. 이것은 한국어로 쓴 글입니다. 문자 인코딩을 알아내기에 충분한 길이입니다.";
    static const char french[] = "Les élèves de l'école ont déjeuné à midi, puis ils sont allés à la forêt où c'était très agréable.";
    uchardet_t ud = uchardet_new();
    CHECK(ud != NULL && strcmp(uchardet_get_charset(ud), "") == 0);
    uchardet_data_end(ud);
    CHECK(strcmp(uchardet_get_charset(ud), "") == 0 && uchardet_get_n_candidates(ud) == 0);
    CHECK(strcmp(answer(ud, "plain", "UTF-8", ""), "ASCII") == 0);
    CHECK(strcmp(answer(ud, russian, "CP1251", ""), "WINDOWS-1251") == 0);
    CHECK(uchardet_get_n_candidates(ud) >= 1 && uchardet_get_confidence(ud, 0) > 0.5F && strcmp(uchardet_get_language(ud, 0), "ru") == 0);
    CHECK(strcmp(uchardet_get_encoding(ud, 99), "") == 0 && uchardet_get_language(ud, 99) == NULL);
    CHECK(strcmp(answer(ud, russian, "KOI8-R", ""), "KOI8-R") == 0);
    CHECK(strcmp(answer(ud, russian, "UTF-8", ""), "UTF-8") == 0);
    CHECK(strcmp(answer(ud, russian, "UTF-16LE", "\xFF\xFE"), "UTF-16") == 0);
    CHECK(strcmp(answer(ud, russian, "UTF-16LE", ""), "UTF-16LE") == 0);
    CHECK(strcmp(answer(ud, japanese, "SHIFT_JIS", ""), "SHIFT_JIS") == 0);
    CHECK(strcmp(answer(ud, japanese, "EUC-JP", ""), "EUC-JP") == 0);
    CHECK(strcmp(answer(ud, japanese, "ISO-2022-JP", ""), "ISO-2022-JP") == 0);
    CHECK(strcmp(answer(ud, korean, "EUC-KR", ""), "UHC") == 0);
    CHECK(strcmp(answer(ud, french, "ISO-8859-1", ""), "WINDOWS-1252") == 0);
    /* A guess below the threshold is an answer. */
    {
        static const char *const names[] = {"de.windows-1252", "fr.windows-1252", "ru.koi8-r", "ko.euc-kr"};
        size_t i;
        for (i = 0; i < sizeof names / sizeof *names; i++) {
            char path[64] = "samples/", bytes[8192];
            FILE *file = fopen(strcat(strcat(path, names[i]), ".txt"), "rb");
            size_t length = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
            CHECK(length > 0);
            if (file != NULL) fclose(file);
            uchardet_reset(ud);
            CHECK(uchardet_handle_data(ud, bytes, length) == 0);
            uchardet_data_end(ud);
            CHECK(strcmp(uchardet_get_charset(ud), i < 2 ? "WINDOWS-1252" : i == 2 ? "KOI8-R" : "UHC") == 0);
            CHECK(uchardet_get_n_candidates(ud) >= 1);
        }
    }
    /* A byte order mark decides, however short the text is. */
    {
        static const struct { const char *bytes; size_t length; const char *name; } marks[] = {
            {"\xFF\xFE", 2, "UTF-16"},       {"\xFE\xFF", 2, "UTF-16"},         {"\xFF\xFE" "a", 4, "UTF-16"},
            {"\xFE\xFF\0a", 4, "UTF-16"},    {"\xFF\xFE\0\0", 4, "UTF-32"},     {"\0\0\xFE\xFF\0\0\0a", 8, "UTF-32"},
            {"\xEF\xBB\xBF", 3, "UTF-8"},    {"\xEF\xBB\xBF" "a", 4, "UTF-8"}, {"\x1B$)C\x0E\x30\x21\x33\x2A\x0F", 10, "ISO-2022-KR"},
            {"~{<:Ky2;S{#,NpJ)l6HK!#~}", 24, "HZ-GB-2312"},
        };
        size_t i, at;
        for (i = 0; i < sizeof marks / sizeof *marks; i++) {
            uchardet_reset(ud);
            for (at = 0; at < marks[i].length; at++) CHECK(uchardet_handle_data(ud, marks[i].bytes + at, 1) == 0);
            CHECK(uchardet_get_n_candidates(ud) == 0);
            uchardet_data_end(ud);
            CHECK(strcmp(uchardet_get_charset(ud), marks[i].name) == 0 && uchardet_get_n_candidates(ud) == 1);
            CHECK(uchardet_get_confidence(ud, 0) > 0.9F && strcmp(uchardet_get_encoding(ud, 1), "") == 0);
        }
    }
    uchardet_reset(ud);
    CHECK(uchardet_handle_data(ud, "\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16) == 0);
    uchardet_data_end(ud);
    CHECK(strcmp(uchardet_get_charset(ud), "") == 0);
    CHECK(uchardet_handle_data(NULL, "a", 1) != 0 && uchardet_handle_data(ud, NULL, 1) != 0);
    uchardet_delete(ud);
    uchardet_delete(NULL);
    return finish("uchardet");
}
